import { builder, limitedByAddress, needs } from '../../graphql/builder.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { between, email, freeText, integratorCode, phone, someText } from '../../graphql/input/forms.ts';
import { ApiKeyType } from '../keys/schema.ts';
import { type Profile, getProfile } from './profile.ts';
import { resendOtp } from './sign-up/resend.ts';
import { type SignUp, signUp, signUpAsItIs } from './sign-up/sign-up.ts';
import { type Terms, currentTerms } from './sign-up/terms.ts';
import { LONGEST_ENDPOINT, PATIENCE_DAYS } from './endpoint.ts';
import { MOST_VOLUME, updateProfile, updatedAgain } from './update.ts';
import { type Verification, verifiedAgain, verifySignUp } from './sign-up/verify.ts';
import { LONGEST_NAME } from '../../kernel/text.ts';

export const IntegratorStatusEnum = builder.enumType('IntegratorStatus', {
  description: 'Where an account stands.',
  values: {
    PendingEmail: { description: 'Signed up; the code that was mailed is not entered yet.' },
    Active: { description: 'In use.' },
    Suspended: { description: 'Its keys and sessions do not work for the time being.' },
  } as const,
});

export const IntegratorTierEnum = builder.enumType('IntegratorTier', {
  description: 'What an account works with.',
  values: { sandbox: { description: 'Made-up payments.' }, live: { description: 'Money.' } } as const,
});

export const WebhookStatusEnum = builder.enumType('WebhookStatus', {
  description: 'Whether webhooks are sent.',
  values: {
    none: { description: 'There is no endpoint.' },
    enabled: { description: 'They are sent to the endpoint.' },
    disabled: { description: 'The endpoint was switched off; what would be sent there waits until it is saved again.' },
  } as const,
});

export const WebhookDisabledReasonEnum = builder.enumType('WebhookDisabledReason', {
  description: 'Why an endpoint was switched off.',
  values: {
    answered_gone: { description: 'It answered 410 Gone.' },
    kept_failing: { description: `It did nothing but fail for ${PATIENCE_DAYS} days.` },
  } as const,
});

export const IntegratorType = builder.objectRef<Profile>('Integrator').implement({
  description: 'An account, as its owner sees it.',
  fields: (t) => ({
    code: t.exposeID('code', { description: 'Its `integrator_id`: a slug of the organisation, a hyphen and six characters.' }),
    displayName: t.exposeString('displayName', { description: 'What it is called.' }),
    contactEmail: t.exposeString('contactEmail', { description: 'Where mail goes, and who may sign in.', ...email }),
    organisation: t.exposeString('organisation', { description: 'Whose it is.' }),
    tier: t.expose('tier', { type: IntegratorTierEnum, description: 'What it works with.' }),
    pricingTier: t.exposeString('pricingTier', { description: 'What it pays: `free`.' }),
    status: t.expose('status', { type: IntegratorStatusEnum, description: 'Where it stands.' }),
    emailVerified: t.exposeBoolean('emailVerified', { description: 'Whether mail to it is known to arrive.' }),
    webhookEndpoint: t.exposeString('webhookEndpoint', { nullable: true, description: 'Where webhooks are sent.' }),
    webhookStatus: t.expose('webhookStatus', { type: WebhookStatusEnum, description: 'Whether anything is sent there.' }),
    webhookDisabledAt: t.expose('webhookDisabledAt', { type: 'DateTime', nullable: true, description: 'When the endpoint was switched off.' }),
    webhookDisabledReason: t.expose('webhookDisabledReason', {
      type: WebhookDisabledReasonEnum,
      nullable: true,
      description: 'Why it was switched off. Saving the endpoint again switches it on.',
    }),
    webhookSecret: t.string({
      nullable: true,
      description: 'The secret that webhooks are signed with: shown once, in the answer to the change that sets the first endpoint; else null.',
      resolve: ({ webhookSecret }) => webhookSecret ?? null,
    }),
    anticipatedVolumeMonthly: t.exposeInt('anticipatedVolumeMonthly', { nullable: true, description: 'How many payments a month it expects.' }),
    contactPhone: t.exposeString('contactPhone', { nullable: true, description: 'Phone number in E.164 form.' }),
    lastLoginAt: t.expose('lastLoginAt', { type: 'DateTime', nullable: true, description: 'When somebody last signed in.' }),
    activeKeyCount: t.exposeInt('activeKeyCount', { description: 'Keys in the state `active`.' }),
    totalKeyCount: t.exposeInt('totalKeyCount', { description: 'Keys in any state.' }),
    requestsLast7Days: t.exposeInt('requestsLast7Days', { description: 'Requests of the last 7 UTC days, today among them.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it signed up.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

const TermsType = builder.objectRef<Terms>('Terms').implement({
  description: 'The terms of service.',
  fields: (t) => ({
    version: t.exposeString('version', { description: 'What a sign-up sends back as `tos_accepted_version`.' }),
    summary: t.exposeString('summary', { description: 'What they say, in short.' }),
    documentUrl: t.exposeString('documentUrl', { description: 'Where they are whole.' }),
  }),
});

const SignUpType = builder.objectRef<SignUp>('SignUp').implement({
  description: 'A sign-up whose address is not verified yet.',
  fields: (t) => ({
    integratorId: t.exposeID('integratorId', { description: 'The code of the account.' }),
    message: t.exposeString('message', { description: 'What to do next.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when the code that was mailed is good.' }),
    sendsRemainingToday: t.exposeInt('sendsRemainingToday', { description: 'How many more codes can be mailed this UTC day, of 5.' }),
    devOtp: t.exposeString('devOtp', { nullable: true, description: 'The code itself, on deployments that reveal it to developers; else null.' }),
  }),
});

const VerificationType = builder.objectRef<Verification>('SignUpVerification').implement({
  description: 'An account that is Active from now on, and its first key.',
  fields: (t) => ({
    integratorId: t.exposeID('integratorId', { description: 'The code of the account.' }),
    plaintext: t.exposeString('plaintext', { description: 'What to send as `Authorization: Bearer <plaintext>`; shown this once.' }),
    key: t.expose('key', { type: ApiKeyType, description: 'The key.' }),
  }),
});

builder.queryFields((t) => ({
  terms: t.field({
    type: TermsType,
    description: 'The terms that a sign-up has to accept. Open to everyone.',
    resolve: (_root, _args, call) => currentTerms(call),
  }),
  me: t.field({
    type: IntegratorType,
    description: 'Your account, with counters as of now. By session or key.',
    ...needs('account'),
    resolve: (_root, _args, call) => getProfile(call, call.viewer.integrator!),
  }),
}));

builder.mutationFields((t) => ({
  signUp: t.field({
    type: SignUpType,
    description:
      'Opens an account, and mails a code to verify its address by. Open to everyone. `duplicate_email` for an address that is registered.',
    ...limitedByAddress({ namedBy: 'email' }),
    args: {
      fullName: t.arg.string({ required: true, description: 'Who signs up, at most 200 characters.', ...someText(LONGEST_NAME) }),
      email: t.arg.string({ required: true, description: 'Where the code goes.', ...email }),
      organisation: t.arg.string({ required: true, description: 'For whom, at most 200 characters.', ...someText(LONGEST_NAME) }),
      tosAcceptedVersion: t.arg.string({
        required: true,
        description: 'The version of the terms, as `GET /v1/signup/tos` answers it.',
        ...freeText(40, { examples: ['2026-11'] }),
      }),
    },
    resolve: (_root, args, call) => signUp(call, args),
    answerAgain: signUpAsItIs,
  }),
  verifySignUp: t.field({
    type: VerificationType,
    description:
      'Activates an account by the code that was mailed, and issues its first key. Open to everyone. `invalid_otp`: wrong or expired; `otp_not_issued`: none is out, or it was used; `rate_limited` after 5 wrong ones a UTC day.',
    ...limitedByAddress({ namedBy: 'integratorId' }),
    args: {
      integratorId: t.arg.id({ required: true, description: 'The code of the account.', ...integratorCode }),
      otp: t.arg.string({ required: true, description: 'The six digits.', ...shape({ pattern: '^\\d{6}$', examples: ['123456'] }) }),
    },
    resolve: (_root, args, call) => verifySignUp(call, args),
    answerAgain: (call, name, { integratorId }) => verifiedAgain(call, integratorId, name),
  }),
  resendOtp: t.field({
    type: SignUpType,
    description: 'Mails a new code, after which earlier ones no longer count. Open to everyone. `rate_limited`: one a minute, 5 a UTC day.',
    ...limitedByAddress({ namedBy: 'integratorId' }),
    args: { integratorId: t.arg.id({ required: true, description: 'The code of the account.', ...integratorCode }) },
    resolve: (_root, { integratorId }, call) => resendOtp(call, integratorId),
    answerAgain: signUpAsItIs,
  }),
  updateMe: t.field({
    type: IntegratorType,
    description: 'Changes what is given of your account; null takes it away. By session, or a key that manages the account.',
    ...needs('account.manage'),
    args: {
      displayName: t.arg.string({ description: 'What it is called, at most 200 characters.', ...freeText(LONGEST_NAME) }),
      webhookEndpoint: t.arg.string({
        description: 'Where webhooks are sent: an https address.',
        ...freeText(LONGEST_ENDPOINT, { format: 'uri', examples: ['https://example.com/webhooks'] }),
      }),
      anticipatedVolumeMonthly: t.arg.int({ description: 'How many payments a month it expects.', ...between(0, MOST_VOLUME) }),
      contactPhone: t.arg.string({ description: 'Phone number in E.164 form.', ...phone }),
    },
    resolve: (_root, args, call) => updateProfile(call, args),
    answerAgain: updatedAgain,
  }),
}));
