import { OWN_LOGIN } from '../../platform/access/needs.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { freeText, requiredText } from '../../graphql/input/forms.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { MessageType } from '../staff/schema.ts';
import {
  type Enrolment,
  type RecoveryCodes,
  confirmAgain,
  confirmSecondFactor,
  enrolAgain,
  enrolSecondFactor,
} from './enrol.ts';
import { removeSecondFactor, removed } from './remove.ts';
import { verified, verifySecondFactor } from './verify.ts';

const EnrolmentType = builder.objectRef<Enrolment>('SecondFactorEnrolment').implement({
  description:
    'A secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds), which a code has to confirm.',
  fields: (t) => ({
    secret: t.exposeString('secret', {
      description: 'The secret in Base32, for those who type it. Shown only in this response.',
    }),
    otpauthUrl: t.exposeString('otpauthUrl', {
      description: 'The same as an `otpauth://totp/` address, to be shown as a QR code.',
    }),
  }),
});

const RecoveryCodesType = builder.objectRef<RecoveryCodes>('RecoveryCodes').implement({
  description: 'Codes that replace a lost second factor.',
  fields: (t) => ({
    codes: t.field({
      type: ['String'],
      description: 'Ten codes, each of which counts once. Shown only in this response.',
      resolve: ({ codes }) => [...codes],
    }),
  }),
});

/** Description of the argument by which a passkey replaces a code. */
export const PASSKEY =
  'Instead of a code: the answer of a passkey to `passkeyRequest`, as `PublicKeyCredential.toJSON()` returns it.';

const WHO = 'For staff who are logged in; a session that may do nothing else yet may do this.';

builder.mutationFields((t) => ({
  enrolSecondFactor: t.field({
    type: EnrolmentType,
    description: `Begins to enrol an authenticator app as a second factor, or another one: answers a secret, to be confirmed with a code within an hour. ${WHO} \`invalid_credentials\` if there is a second factor already and \`code\` is none of its codes.`,
    ...needs(OWN_LOGIN),
    args: {
      code: t.arg.string({
        description: 'A code of the present second factor, or a recovery code, if there is one.',
        ...freeText(LONGEST_LABEL),
      }),
      passkey: t.arg({ type: 'JSON', description: PASSKEY }),
    },
    resolve: (_root, args, call) => enrolSecondFactor(call, args),
    answerAgain: enrolAgain,
  }),
  confirmSecondFactor: t.field({
    type: RecoveryCodesType,
    description:
      `Confirms the second factor that is being enrolled, which every login requires from then on, and answers its recovery codes. Every other session of the caller ends. ${WHO} \`invalid_credentials\` if the code is wrong; wrong codes count towards the lock of the login.` +
      listReasons('second_factor_not_enrolled'),
    ...needs(OWN_LOGIN),
    args: {
      code: t.arg.string({
        required: true,
        description: 'The code that the authenticator app shows.',
        ...requiredText(LONGEST_LABEL),
      }),
    },
    resolve: (_root, args, call) => confirmSecondFactor(call, args),
    answerAgain: confirmAgain,
  }),
  verifySecondFactor: t.field({
    type: MessageType,
    description:
      `Has this session count as opened with the caller's second factor, where it was opened at an identity provider that asked for none. ${WHO} \`invalid_credentials\` if the code is wrong; wrong codes count towards the lock of the login.` +
      listReasons('second_factor_not_enrolled'),
    ...needs(OWN_LOGIN),
    args: {
      code: t.arg.string({
        description: 'A code of the second factor, or a recovery code.',
        ...freeText(LONGEST_LABEL),
      }),
      passkey: t.arg({ type: 'JSON', description: PASSKEY }),
    },
    resolve: (_root, args, call) => verifySecondFactor(call, args),
    answerAgain: verified,
  }),
  removeSecondFactor: t.field({
    type: MessageType,
    description:
      `Removes the caller's authenticator app; with their last second factor, the recovery codes too. ${WHO} \`invalid_credentials\` if the code is wrong.` +
      listReasons('second_factor_not_enrolled', 'second_factor_kept'),
    ...needs(OWN_LOGIN),
    args: {
      code: t.arg.string({
        description: 'A code of the second factor, or a recovery code.',
        ...freeText(LONGEST_LABEL),
      }),
      passkey: t.arg({ type: 'JSON', description: PASSKEY }),
    },
    resolve: (_root, args, call) => removeSecondFactor(call, args),
    answerAgain: removed,
  }),
}));
