import type { StaffNeed } from '../../platform/access/needs.ts';
import type { Viewer } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import type { Change } from '../../platform/change/commit.ts';
import type { Step } from '../../platform/change/step.ts';
import type { Stored } from '../../platform/database/record.ts';
import { z } from '../../kernel/zod.ts';

/**
 * Changes that need two independent people: one asks, another approves, and the statement of that decision carries it
 * out. To add a kind:
 *
 * 1. a line here, and its words on pages, `approvalKind.<kind>` and `people.approvals.what.<kind>`, in each language;
 * 2. `export const feeApproval = defineApproval({ kind: 'fee', proposal: z.object({ … }), needs, carryOut })`;
 * 3. its verb asks where `takesApproval(call)`: `return requestApproval(call, feeApproval, { subject, about, … })`;
 * 4. `carryOut` reads and refuses as the verb does, and answers the `Change` whose guard reads `held`;
 * 5. its record has a field `pendingApproval`, by `pendingApprovalOf(call, feeApproval, subject)`.
 */
export const APPROVAL_KINDS = {
  fee: 'The fee of a service is set, which may be its first; `subject` is its docname, `proposal.fee_amount` the fee, and `proposal.effective_from` the day, null for at once.',
  roles:
    'A member of staff has roles for agencies; `subject` is their e-mail address, `proposal.roles` names their roles that take two people, `proposal.agencies` the agencies, `*` for all.',
  key: 'A key that an operator issued may be used; `subject` is its docname, `proposal` what it may do.',
  agency_key:
    'A public key of an agency may be used; `subject` is its docname, `proposal` what it may do, its thumbprint, and the key that it replaces.',
  cash: 'An agency takes more cash; `subject` is its code, `proposal` the most of a payment and of a shift, null for as much as its country.',
  endpoint:
    'An endpoint of operators has another address, or gets more messages; `subject` is its docname, `proposal` the address, the types of messages and the agencies, `*` for all.',
  live: 'An account goes live, or a live one may use more; `subject` is its code, `proposal` what it may use then, and its request.',
  reversal:
    'A Paid assessment is cancelled and its payments reversed; `subject` is its docname, and `proposal` the `amount` and `currency` that are given back.',
  replacement:
    'An Assessed assessment is replaced by others, by which less is owed, or later; `subject` is its docname. `proposal` has the `amount` and `currency` that are owed now, the `parts` that are owed then, and of what they are made.',
  refund:
    'A payment, or money that paid nothing, is refunded. `subject` is the docname of the refund, and `proposal` the `amount`, the `currency`, the shares of agencies, and as `intent` the payment or the money.',
  refund_payee:
    'A refund that one person approved goes to another payee than who paid, which takes a second approval. `subject` and `proposal` are those of the kind `refund`.',
  money:
    'Money that paid nothing is allocated, transferred or written off. `subject` is the docname of the assessment or of the money, and `proposal.as` the outcome.',
  exemption:
    'Somebody pays an agency less, or nothing; `subject` is the docname that the exemption will have, `proposal` what it waives, for whom and why.',
  claim:
    'A payment that M-Pesa can no longer be asked about counts. `subject` is the payment point and the transaction, `proposal` what a statement has, and its `run`.',
} as const;

export type ApprovalKind = keyof typeof APPROVAL_KINDS;

/** A request that another, independent person decides. */
export type Approval = Stored<'Approval'>;

/** An approval with its proposal as its kind has it. */
export type Proposed<Proposal> = Omit<Approval, 'proposal'> & { readonly proposal: Proposal };

/** What is written when a request is refused or expires. */
type Lapse = Pick<Change, 'steps' | 'trace' | 'messages'>;

interface Definition<Proposal> {
  readonly kind: ApprovalKind;
  /** The proposal, as JSON. Its deciders read it, so it has no secrets. */
  readonly proposal: z.ZodType<Proposal>;
  /** Need of a decider. */
  readonly needs: StaffNeed;
  /**
   * The change that an approval makes, or a refusal. Its guard reads `held`, which yields a row only while the approval
   * waits. Its audit entry names the asker and the caller, who approves.
   */
  readonly carryOut: (call: Call, approval: Proposed<Proposal>, held: Step) => Promise<Change>;
  /** Effect on its subject once it is refused or has expired: what is written with a step that yields that `subject`. */
  readonly lapse?: (call: Call, lapsed: Step, subject: string) => Promise<Lapse>;
}

/** A kind of approval, and what is proposed by it. */
export interface Kind<Proposal> extends Pick<Definition<never>, 'kind' | 'needs' | 'lapse'> {
  readonly read: (proposal: unknown) => Proposal;
  readonly carryOut: (call: Call, approval: Approval, held: Step) => Promise<Change>;
}

const kinds = new Map<string, Kind<unknown>>();

export function defineApproval<Proposal>({ proposal, carryOut, ...rest }: Definition<Proposal>): Kind<Proposal> {
  const read = (value: unknown) => proposal.parse(value);
  const kind: Kind<Proposal> = {
    ...rest,
    read,
    carryOut: (call, approval, held) => carryOut(call, { ...approval, proposal: read(approval.proposal) }, held),
  };
  kinds.set(rest.kind, kind);
  return kind;
}

export function kindOf({ kind }: Pick<Approval, 'kind'>): Kind<unknown> {
  return kinds.get(kind)!;
}

export function allKinds(): Kind<unknown>[] {
  return [...kinds.values()];
}

/** True if a caller's action takes a second person: on a live rail, unless they are at the machine itself. */
export function takesApproval({ config, viewer }: Pick<Call, 'config'> & { readonly viewer: Viewer }): boolean {
  return config.mode === 'live' && viewer.kind !== 'system';
}
