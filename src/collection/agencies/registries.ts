import { createHash } from 'node:crypto';
import { AdapterFailure } from '../../adapters/failure.ts';
import { readTextMember } from '../../adapters/http/members.ts';
import type { Call } from '../../platform/call/call.ts';
import { always, commit } from '../../platform/change/commit.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { NIN, TAX_NUMBER } from '../../kernel/text/identifiers.ts';
import { requireName } from '../../kernel/text/names.ts';

/** Somebody who pays taxes, as the tax authority knows them. */
export interface Taxpayer {
  readonly tin: string;
  readonly fullName: string;
  readonly status: string;
}

/** A business, as the business registry knows it. */
export interface Business {
  readonly registrationNumber: string;
  readonly businessName: string;
  readonly status: string;
}

/** The taxpayer with a number, at the tax authority. */
export async function verifyTin(call: Call, input: { tin: string }): Promise<Taxpayer> {
  const tin = input.tin.trim().toUpperCase();
  if (!TAX_NUMBER.test(tin)) throw refuseValue('tin', 'must be 5 to 20 letters and digits');
  const taxpayer = await findTaxpayer(call, tin);
  if (!taxpayer) throw refuseUnknownTaxpayer();
  return taxpayer;
}

export const refuseUnknownTaxpayer = () => new Refusal('not_found', 'The tax authority has no record of this number');

/** The same of a number in the form in which it is compared; null where the authority knows nobody by it. */
export async function findTaxpayer({ rail }: Call, tin: string): Promise<Taxpayer | null> {
  const { status, body } = await rail.agencies.ask('tin-verify', { query: { tin } });
  if (status === 404) return null;
  const name = readTextMember(body, 'name');
  if (status !== 200 || name === null || readTextMember(body, 'tin') !== tin)
    throw refuseMisunderstood('tax authority', status);
  return { tin, fullName: name, status: readTextMember(body, 'status') ?? 'unknown' };
}

/** Businesses by a part of their name, at the business registry. */
export async function searchBusinesses({ rail }: Call, input: { name: string }): Promise<Business[]> {
  const name = requireName('name', input.name);
  if (name.length < 2) throw refuseValue('name', 'must be at least 2 characters');
  const { status, body } = await rail.agencies.ask('business-search', { query: { name } });
  const rows = typeof body === 'object' && body !== null && 'results' in body ? body.results : null;
  if (status !== 200 || !Array.isArray(rows)) throw refuseMisunderstood('business registry', status);
  return rows.flatMap((row: unknown) => businessOf(row) ?? []);
}

/**
 * Registers a business at the business registry; the same request again under an idempotency key registers nothing new.
 */
export async function registerBusiness(call: Call, input: { name: string; ownerNin: string }): Promise<Business> {
  const name = requireName('name', input.name);
  const owner = input.ownerNin.trim().toUpperCase();
  if (!NIN.test(owner)) throw refuseValue('ownerNin', 'must be 6 to 20 letters and digits');
  const { once, requestId } = call;
  const key = once ? createHash('sha256').update(`${once.principal}\n${once.key}`).digest('hex') : requestId;
  const { status, body } = await call.rail.agencies.ask('business-register', { body: { name, owner_nin: owner }, key });
  if (status === 409 || status === 422 || status === 400)
    throw new Refusal(
      'validation_failed',
      `The business registry rejected the request: ${readTextMember(body, 'message') ?? status}`,
    );
  const business = businessOf(body);
  if ((status !== 200 && status !== 201) || !business) throw refuseMisunderstood('business registry', status);
  const operated = {
    action: 'business.register',
    subject: business.registrationNumber,
    before: null,
    after: { name: business.businessName },
    reason: null,
  };
  await commit(call, { subject: null, guard: always, operated });
  return business;
}

function businessOf(row: unknown): Business | null {
  const registrationNumber = readTextMember(row, 'registration_number');
  const businessName = readTextMember(row, 'name');
  return registrationNumber !== null && businessName !== null
    ? { registrationNumber, businessName, status: readTextMember(row, 'status') ?? 'unknown' }
    : null;
}

function refuseMisunderstood(kind: string, status: number): AdapterFailure {
  return new AdapterFailure(kind, 'failed', `The ${kind} sent a response that could not be understood: ${status}`);
}
