import { builder, limitByAddress } from '../../../graphql/builder.ts';
import { email, freeText, integratorCode, requiredText } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { ApiKeyType } from '../../keys/schema.ts';
import { getIntegrator } from '../find.ts';
import { IntegratorType } from '../integrator-schema.ts';
import { resendOtp } from './resend.ts';
import { type SignUp, signUp, readSignUp } from './sign-up.ts';
import { type Terms, currentTermsOf } from './terms.ts';
import { type SignUpVerification, verifySignUpAgain, verifySignUp } from './verify.ts';
import { LONGEST_NAME } from '../../../kernel/text/free-text.ts';

const TermsType = builder.objectRef<Terms>('Terms').implement({
  description: 'The terms of service.',
  fields: (t) => ({
    version: t.exposeString('version', {
      description: 'The version, to be sent as `tos_accepted_version` at sign-up.',
    }),
    summary: t.exposeString('summary', { description: 'The terms in a few sentences of plain text.' }),
    documentUrl: t.exposeString('documentUrl', { description: 'The address of the full text.' }),
  }),
});

const SignUpType = builder.objectRef<SignUp>('SignUp').implement({
  description: 'A sign-up whose address is not verified yet.',
  fields: (t) => ({
    integratorId: t.exposeID('integratorId', {
      description: 'The `integrator_id` of the account, which is shown to nobody before its address is verified.',
    }),
    message: t.exposeString('message', { description: 'Instruction for the next step.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Time at which the verification code expires.' }),
    sendsRemainingToday: t.exposeInt('sendsRemainingToday', {
      description: 'Number of codes, of 5, that can still be requested this UTC day.',
    }),
    devOtp: t.exposeString('devOtp', {
      nullable: true,
      description: 'The verification code itself, on deployments that reveal it to developers; otherwise null.',
    }),
  }),
});

/** Answer to the verification of a sign-up, in all its forms. */
export const VerificationType = builder.objectRef<SignUpVerification>('SignUpVerification').implement({
  description: 'The result of a verification: the account is Active and has its first key.',
  fields: (t) => ({
    integratorId: t.exposeID('integratorId', { description: 'The code of the account.', ...integratorCode }),
    integrator: t.field({
      type: IntegratorType,
      description: 'The account, which is Active now.',
      // The receiver of the code is its owner, even without a credential.
      resolve: ({ integratorId }, _args, call) => getIntegrator(call, integratorId),
    }),
    plaintext: t.exposeString('plaintext', {
      description: 'The full key, to be sent as `Authorization: Bearer <plaintext>`. Shown only in this response.',
    }),
    key: t.expose('key', { type: ApiKeyType, description: 'The key, without its secret part.' }),
  }),
});

/** Arguments of the verification of a sign-up, in all its forms. */
export const verificationArgs = builder.args((t) => ({
  integratorId: t.id({ required: true, description: 'The `integrator_id` of the account.', ...integratorCode }),
  otp: t.string({
    required: true,
    description: 'The six-digit code that was e-mailed; it holds for 15 minutes.',
    ...shape({ pattern: '^\\d{6}$', examples: ['123456'] }),
  }),
}));

builder.queryFields((t) => ({
  terms: t.field({
    type: TermsType,
    description: 'The terms of service to accept at sign-up. No authentication required.',
    resolve: (_root, _args, call) => currentTermsOf(call),
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
      email: t.arg.string({
        required: true,
        description: 'The e-mail address, to which a six-digit code is sent.',
        ...email,
      }),
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
    args: verificationArgs,
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
}));
