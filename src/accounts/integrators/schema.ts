import { builder, limitByAddress, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { between, email, freeText, integratorCode, phone, requiredText } from '../../graphql/input/forms.ts';
import { ApiKeyType } from '../keys/schema.ts';
import { type Profile, getProfile } from './profile.ts';
import { resendOtp } from './sign-up/resend.ts';
import { type SignUp, signUp, readSignUp } from './sign-up/sign-up.ts';
import { type Terms, currentTermsOf } from './sign-up/terms.ts';
import { LONGEST_ENDPOINT, PATIENCE_DAYS } from './webhook-endpoint.ts';
import { MOST_VOLUME, updateProfile, readUpdatedProfile } from './update.ts';
import { type SignUpVerification, verifySignUpAgain, verifySignUp } from './sign-up/verify.ts';
import { LONGEST_NAME } from '../../kernel/text/free-text.ts';

export const IntegratorStatusEnum = builder.enumType('IntegratorStatus', {
  description: 'The status of an account.',
  values: {
    PendingEmail: { description: 'Signed up, but the e-mail address is not verified yet.' },
    Active: { description: 'The account is in use.' },
    Suspended: { description: 'Suspended: keys and sessions do not work.' },
  } as const,
});

export const IntegratorTierEnum = builder.enumType('IntegratorTier', {
  description: 'The tier of an account.',
  values: { sandbox: { description: 'Simulated payments.' }, live: { description: 'Real payments.' } } as const,
});

export type PricingTier = 'free';

export const PricingTierEnum = defineEnum<PricingTier>(
  'PricingTier',
  'What an account pays for the use of the rail. Tiers may be added.',
  { free: 'Nothing is charged.' },
);

export const WebhookStatusEnum = builder.enumType('WebhookStatus', {
  description: "The status of an account's webhooks.",
  values: {
    none: { description: 'The account has no endpoint.' },
    enabled: { description: 'Webhooks are sent to the endpoint.' },
    disabled: { description: 'The endpoint is disabled; messages wait until it is saved again.' },
  } as const,
});

export const WebhookDisabledReasonEnum = builder.enumType('WebhookDisabledReason', {
  description: 'Why an endpoint was disabled.',
  values: {
    answered_gone: { description: 'The endpoint responded with 410 Gone.' },
    kept_failing: { description: `All attempts failed for ${PATIENCE_DAYS} days.` },
  } as const,
});

export const IntegratorType = builder.objectRef<Profile>('Integrator').implement({
  description: "An integrator's account, as shown to its owner.",
  fields: (t) => ({
    code: t.exposeID('code', {
      description: "The `integrator_id`: a short form of the organisation's name, a hyphen and six characters.",
    }),
    displayName: t.exposeString('displayName', { description: 'The display name.' }),
    contactEmail: t.exposeString('contactEmail', {
      description: 'The e-mail address for notifications and sign-in.',
      ...email,
    }),
    organisation: t.exposeString('organisation', { description: 'The organisation that owns the account.' }),
    tier: t.expose('tier', { type: IntegratorTierEnum, description: 'The tier: `sandbox` or `live`.' }),
    pricingTier: t.field({
      type: PricingTierEnum,
      description: 'The pricing tier: `free`.',
      resolve: ({ pricingTier }) => pricingTier as PricingTier,
    }),
    status: t.expose('status', { type: IntegratorStatusEnum, description: 'The current status.' }),
    emailVerified: t.exposeBoolean('emailVerified', { description: 'Whether the e-mail address is verified.' }),
    webhookEndpoint: t.exposeString('webhookEndpoint', {
      nullable: true,
      description: 'The address to which webhooks are sent.',
    }),
    webhookStatus: t.expose('webhookStatus', {
      type: WebhookStatusEnum,
      description: 'Whether webhooks are sent to the endpoint.',
    }),
    webhookDisabledAt: t.expose('webhookDisabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the endpoint was disabled.',
    }),
    webhookDisabledReason: t.expose('webhookDisabledReason', {
      type: WebhookDisabledReasonEnum,
      nullable: true,
      description: 'Why the endpoint was disabled. Saving the endpoint again enables it.',
    }),
    webhookSecret: t.string({
      nullable: true,
      description:
        'The secret with which webhooks are signed. Shown once, in the response to the request that sets the first endpoint; otherwise null.',
      resolve: ({ webhookSecret }) => webhookSecret ?? null,
    }),
    anticipatedVolumeMonthly: t.exposeInt('anticipatedVolumeMonthly', {
      nullable: true,
      description: 'The number of payments expected per month.',
    }),
    contactPhone: t.exposeString('contactPhone', { nullable: true, description: 'Phone number in E.164 form.' }),
    lastLoginAt: t.expose('lastLoginAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When someone last signed in.',
    }),
    activeKeyCount: t.exposeInt('activeKeyCount', { description: 'The number of active keys.' }),
    totalKeyCount: t.exposeInt('totalKeyCount', { description: 'The number of keys in any status.' }),
    requestsLast7Days: t.exposeInt('requestsLast7Days', {
      description: 'The number of requests in the last 7 UTC days, including today.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the account was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

const TermsType = builder.objectRef<Terms>('Terms').implement({
  description: 'The terms of service.',
  fields: (t) => ({
    version: t.exposeString('version', {
      description: 'The version, to be sent as `tos_accepted_version` at sign-up.',
    }),
    summary: t.exposeString('summary', { description: 'A summary.' }),
    documentUrl: t.exposeString('documentUrl', { description: 'The address of the full text.' }),
  }),
});

const SignUpType = builder.objectRef<SignUp>('SignUp').implement({
  description: 'A sign-up whose address is not verified yet.',
  fields: (t) => ({
    integratorId: t.exposeID('integratorId', { description: 'The `integrator_id` of the account.' }),
    message: t.exposeString('message', { description: 'What to do next.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the verification code expires.' }),
    sendsRemainingToday: t.exposeInt('sendsRemainingToday', {
      description: 'How many of 5 codes can still be requested this UTC day.',
    }),
    devOtp: t.exposeString('devOtp', {
      nullable: true,
      description: 'The verification code itself, on deployments that reveal it to developers; otherwise null.',
    }),
  }),
});

const VerificationType = builder.objectRef<SignUpVerification>('SignUpVerification').implement({
  description: 'The result of a verification: the account is Active and has its first key.',
  fields: (t) => ({
    integratorId: t.exposeID('integratorId', { description: 'The `integrator_id` of the account.' }),
    plaintext: t.exposeString('plaintext', {
      description: 'The full key, to be sent as `Authorization: Bearer <plaintext>`. Shown only in this response.',
    }),
    key: t.expose('key', { type: ApiKeyType, description: 'The key.' }),
  }),
});

builder.queryFields((t) => ({
  terms: t.field({
    type: TermsType,
    description: 'The terms of service to accept at sign-up. No authentication required.',
    resolve: (_root, _args, call) => currentTermsOf(call),
  }),
  me: t.field({
    type: IntegratorType,
    description: 'Returns your account with current counters. Requires a session or a key.',
    ...needs('account'),
    resolve: (_root, _args, call) => getProfile(call, call.viewer.integrator!),
  }),
}));

builder.mutationFields((t) => ({
  signUp: t.field({
    type: SignUpType,
    description:
      'Creates an account and sends a verification code by e-mail. No authentication required. `duplicate_email` if the address is already registered.',
    ...limitByAddress({ namedBy: 'email' }),
    args: {
      fullName: t.arg.string({
        required: true,
        description: 'Your full name, at most 200 characters.',
        ...requiredText(LONGEST_NAME),
      }),
      email: t.arg.string({ required: true, description: 'The e-mail address.', ...email }),
      organisation: t.arg.string({
        required: true,
        description: 'Your organisation, at most 200 characters.',
        ...requiredText(LONGEST_NAME),
      }),
      tosAcceptedVersion: t.arg.string({
        required: true,
        description: 'The version of the terms of service that you accept, as returned by `GET /v1/signup/tos`.',
        ...freeText(40, { examples: ['2026-11'] }),
      }),
    },
    resolve: (_root, args, call) => signUp(call, args),
    answerAgain: readSignUp,
  }),
  verifySignUp: t.field({
    type: VerificationType,
    description:
      'Verifies the e-mail address with the code sent to it, activates the account and issues its first key. No authentication required. `invalid_otp` if the code is wrong or expired; `otp_not_issued` if there is no code or it was used; `rate_limited` after 5 wrong codes a UTC day.',
    ...limitByAddress({ namedBy: 'integratorId' }),
    args: {
      integratorId: t.arg.id({ required: true, description: 'The `integrator_id` of the account.', ...integratorCode }),
      otp: t.arg.string({
        required: true,
        description: 'The six-digit code.',
        ...shape({ pattern: '^\\d{6}$', examples: ['123456'] }),
      }),
    },
    resolve: (_root, args, call) => verifySignUp(call, args),
    answerAgain: (call, name, { integratorId }) => verifySignUpAgain(call, integratorId, name),
  }),
  resendOtp: t.field({
    type: SignUpType,
    description:
      'Sends a new verification code, which replaces earlier ones. No authentication required. `rate_limited`: one request a minute and 5 a UTC day.',
    ...limitByAddress({ namedBy: 'integratorId' }),
    args: {
      integratorId: t.arg.id({ required: true, description: 'The `integrator_id` of the account.', ...integratorCode }),
    },
    resolve: (_root, { integratorId }, call) => resendOtp(call, integratorId),
    answerAgain: readSignUp,
  }),
  updateMe: t.field({
    type: IntegratorType,
    description:
      'Updates the fields given; null clears a field. Requires a session, or a key that manages the account.',
    ...needs('account.manage'),
    args: {
      displayName: t.arg.string({
        description: 'The display name, at most 200 characters.',
        ...freeText(LONGEST_NAME),
      }),
      webhookEndpoint: t.arg.string({
        description: 'The https address to which webhooks are sent.',
        ...freeText(LONGEST_ENDPOINT, { format: 'uri', examples: ['https://example.com/webhooks'] }),
      }),
      anticipatedVolumeMonthly: t.arg.int({
        description: 'The number of payments expected per month.',
        ...between(0, MOST_VOLUME),
      }),
      contactPhone: t.arg.string({ description: 'Phone number in E.164 form.', ...phone }),
    },
    resolve: (_root, args, call) => updateProfile(call, args),
    answerAgain: readUpdatedProfile,
  }),
}));
