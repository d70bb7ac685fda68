import { refuseAgency } from '../../platform/access/bounds.ts';
import { refuseShared } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import type { Assessment } from './find.ts';

/**
 * Refuses an assessment that is not Assessed, or that the caller may not collect for: an agency collects for what is its
 * own alone.
 */
export function refuseUncollectable(
  { viewer }: Pick<Call, 'viewer'>,
  { name, status, lines }: Assessment,
  otherwise: 'reference_not_payable' | 'assessment_not_payable',
  path: string,
): void {
  if (status !== 'Assessed')
    throw refuseBecause(otherwise, `${name} is ${status}; only an Assessed assessment can be paid`, path);
  refuseShared(viewer, lines);
  for (const { mda } of lines) refuseAgency(viewer, mda, path);
}

/** The same of an assessment that people are to pay by a number or a link: there has to be something to pay. */
export function refuseUnpayable(
  call: Pick<Call, 'viewer'>,
  assessment: Assessment,
  ...refusedAs: [otherwise: 'reference_not_payable' | 'assessment_not_payable', path: string]
): void {
  refuseUncollectable(call, assessment, ...refusedAs);
  const { name, totalAmount } = assessment;
  if (totalAmount.isZero()) throw refuseBecause('nothing_to_pay', `${name} has a total of zero`, refusedAs[1]);
}
