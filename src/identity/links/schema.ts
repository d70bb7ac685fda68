import { OWN_LOGIN } from '../../platform/access/needs.ts';
import { builder, limitByAddress, needs } from '../../graphql/builder.ts';
import { email, freeText, requiredText } from '../../graphql/input/forms.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { LONGEST_RETURN } from '../../kernel/text/own-path.ts';
import { LONGEST_PASSWORD } from '../passwords/rules.ts';
import { changePassword, passwordChanged } from '../passwords/change.ts';
import { MessageType } from '../staff/schema.ts';
import { requestPasswordReset } from './request-reset.ts';
import { acceptInvitation, answerUse, completePasswordReset } from './use.ts';

const PASSWORD =
  'The new password: at least 12 characters, neither common nor made of the name or address of its holder.';

/** Arguments of the use of a mailed link. */
const linkArgs = builder.args((t) => ({
  token: t.string({ required: true, description: 'The token of the link, as it was mailed.', ...requiredText(200) }),
  password: t.string({ required: true, description: PASSWORD, ...freeText(LONGEST_PASSWORD) }),
}));

builder.mutationFields((t) => ({
  acceptInvitation: t.field({
    type: MessageType,
    description:
      'Accepts an invitation to work with the rail, by the link that was mailed: sets the password and lets its holder log in. A link works once, within 24 hours. No authentication required.' +
      listReasons('link_not_valid', 'password_too_short', 'password_too_weak'),
    ...limitByAddress({ namedBy: 'token' }),
    args: linkArgs,
    resolve: (_root, args, call) => acceptInvitation(call, args),
    answerAgain: (call, _changed, { token }) => answerUse(call, 'invitation', token),
  }),
  requestPasswordReset: t.field({
    type: MessageType,
    description:
      'Mails a link to choose a new password, if the address is that of an active member of staff who has one. The response is the same either way. No authentication required.',
    ...limitByAddress({ namedBy: 'email' }),
    args: {
      email: t.arg.string({ required: true, description: 'The e-mail address of the member of staff.', ...email }),
      returnTo: t.arg.string({
        description:
          'Path on this host to go on to after logging in with the new password; anything else counts for nothing.',
        ...freeText(LONGEST_RETURN),
      }),
    },
    resolve: (_root, args, call) => requestPasswordReset(call, args),
  }),
  completePasswordReset: t.field({
    type: MessageType,
    description:
      'Sets a new password by the link that was mailed, and ends every session of its holder; a second factor stays. A link works once, within an hour. No authentication required.' +
      listReasons('link_not_valid', 'password_too_short', 'password_too_weak'),
    ...limitByAddress({ namedBy: 'token' }),
    args: linkArgs,
    resolve: (_root, args, call) => completePasswordReset(call, args),
    answerAgain: (call, _changed, { token }) => answerUse(call, 'password_reset', token),
  }),
  changePassword: t.field({
    type: MessageType,
    description:
      "Changes the caller's own password; their other sessions end. For staff who are logged in. `invalid_credentials` if the current password is wrong, which counts towards the lock of the login." +
      listReasons('password_too_short', 'password_too_weak'),
    ...needs(OWN_LOGIN),
    args: {
      currentPassword: t.arg.string({
        required: true,
        description: 'The password that is to be replaced.',
        ...freeText(LONGEST_PASSWORD),
      }),
      newPassword: t.arg.string({ required: true, description: PASSWORD, ...freeText(LONGEST_PASSWORD) }),
    },
    resolve: (_root, args, call) => changePassword(call, args),
    answerAgain: passwordChanged,
  }),
}));
