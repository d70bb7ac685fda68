import { CREDENTIAL_REASONS, FORBIDDEN_REASONS, REASONS, type Reason, UNPROVEN_REASONS } from '../kernel/reasons.ts';
import { type ErrorCode, MEANINGS, statusOf } from '../kernel/refusal.ts';
import { builder } from './builder.ts';

const Code = builder.enumType('ErrorCode', {
  description:
    'The code of an error, in `extensions.code`. Codes may be added; treat one that you do not know by its HTTP status.',
  values: describeValues(MEANINGS),
});

export const ReasonCode = builder.enumType('ErrorReasonCode', {
  description: 'Exact reason for a refusal, in `extensions.details[].code`. Reasons may be added.',
  values: describeValues(REASONS),
});

const ErrorReason = builder.objectRef<Reason>('ErrorReason').implement({
  description: 'A specific reason for an error.',
  fields: (t) => ({
    code: t.field({
      type: ReasonCode,
      description: 'The reason, as in `extensions.details[].code`.',
      resolve: (code) => code,
    }),
    meaning: t.string({
      description: 'The meaning, and what the caller can do about it.',
      resolve: (code) => REASONS[code],
    }),
  }),
});

const ErrorDescription = builder.objectRef<ErrorCode>('ErrorDescription').implement({
  description: 'An error code and what it means.',
  fields: (t) => ({
    code: t.field({ type: Code, description: 'The code, as in `extensions.code`.', resolve: (code) => code }),
    httpStatus: t.int({
      description: 'The HTTP status of a response that consists of this error alone.',
      resolve: (code) => statusOf[code],
    }),
    meaning: t.string({
      description: 'The meaning, and what the caller can do about it.',
      resolve: (code) => MEANINGS[code],
    }),
    reasons: t.field({
      type: [ErrorReason],
      description: 'The reasons that `extensions.details[].code` may give with this code; empty if it gives none.',
      resolve: reasonsOf,
    }),
  }),
});

builder.queryField('errorCodes', (t) =>
  t.field({
    type: [ErrorDescription],
    description: 'Every error code and every reason that responses may carry. No authentication required.',
    resolve: () => Object.keys(statusOf) as ErrorCode[],
  }),
);

function reasonsOf(code: ErrorCode): Reason[] {
  const apart: Partial<Record<ErrorCode, readonly Reason[]>> = {
    forbidden: FORBIDDEN_REASONS,
    invalid_credentials: CREDENTIAL_REASONS,
    unauthenticated: UNPROVEN_REASONS,
  };
  const others = new Set(Object.values(apart).flat());
  return code === 'validation_failed'
    ? (Object.keys(REASONS) as Reason[]).filter((reason) => !others.has(reason))
    : [...(apart[code] ?? [])];
}

function describeValues<Value extends string>(meanings: Readonly<Record<Value, string>>) {
  return Object.fromEntries(
    Object.entries<string>(meanings).map(([value, description]) => [value, { description }]),
  ) as Record<Value, { description: string }>;
}
