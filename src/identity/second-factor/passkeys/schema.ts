import { OWN_LOGIN } from '../../../platform/access/needs.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { freeText, requiredText } from '../../../graphql/input/forms.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { LONGEST_LABEL } from '../../../kernel/text/free-text.ts';
import { MessageType } from '../../staff/schema.ts';
import { PASSKEY } from '../schema.ts';
import { type AddedPasskey, type PasskeyCreation, addAgain, addPasskey, beginAgain, beginPasskey } from './add.ts';
import { type Passkey, findPasskeys } from './find.ts';
import { passkeyRemoved, removePasskey } from './remove.ts';

const PasskeyType = builder.objectRef<Passkey>('Passkey').implement({
  description: 'A passkey (WebAuthn) of a member of staff: a second factor that cannot be given away on a false page.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The unique identifier: a UUID.' }),
    label: t.exposeString('label', { description: 'Name that its owner gave it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was added.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was last used; null if it never was.',
    }),
  }),
});

const PasskeyCreationType = builder.objectRef<PasskeyCreation>('PasskeyCreation').implement({
  description: 'Options with which a browser makes a passkey.',
  fields: (t) => ({
    options: t.expose('options', {
      type: 'JSON',
      description:
        '`PublicKeyCredentialCreationOptionsJSON`, for `PublicKeyCredential.parseCreationOptionsFromJSON`. Valid for 5 minutes; its challenge can be answered once.',
    }),
  }),
});

const AddedPasskeyType = builder.objectRef<AddedPasskey>('AddedPasskey').implement({
  description: 'A passkey that was added.',
  fields: (t) => ({
    passkey: t.expose('passkey', {
      type: PasskeyType,
      description: 'The passkey that was added.',
    }),
    recoveryCodes: t.field({
      type: ['String'],
      nullable: true,
      description:
        'If it is the first second factor: ten recovery codes, each of which counts once. Shown only in this response. Null otherwise: those that there are still count.',
      resolve: ({ recoveryCodes }) => recoveryCodes && [...recoveryCodes],
    }),
  }),
});

const WHO = 'For staff who are logged in; a session that may do nothing else yet may do this.';

const proof = builder.args((t) => ({
  code: t.string({
    description: 'A code of the present second factor, or a recovery code, if there is one.',
    ...freeText(LONGEST_LABEL),
  }),
  passkey: t.field({ type: 'JSON', description: PASSKEY }),
}));

builder.queryFields((t) => ({
  passkeys: t.field({
    type: [PasskeyType],
    description: `The caller's passkeys, oldest first: at most 10. ${WHO}`,
    ...needs(OWN_LOGIN),
    resolve: (_root, _args, call) => findPasskeys(call, call.viewer.actor),
  }),
}));

builder.mutationFields((t) => ({
  beginPasskey: t.field({
    type: PasskeyCreationType,
    description:
      `Begins to add a passkey: returns what the browser makes it with, for \`addPasskey\` within 5 minutes. ${WHO} \`invalid_credentials\` if there is a second factor already, and neither \`code\` nor \`passkey\` proves it; wrong ones count towards the lock of the login.` +
      listReasons('passkeys_unavailable'),
    ...needs(OWN_LOGIN),
    args: proof,
    resolve: (_root, args, call) => beginPasskey(call, args),
    answerAgain: beginAgain,
  }),
  addPasskey: t.field({
    type: AddedPasskeyType,
    description:
      `Adds the passkey that the browser made, which every login asks for from then on, unless it is shown a code. Every other session of the caller ends. ${WHO}` +
      listReasons('passkey_not_accepted', 'too_many_passkeys'),
    ...needs(OWN_LOGIN),
    args: {
      label: t.arg.string({
        required: true,
        description: 'Name for it, such as the device that it is on.',
        ...requiredText(LONGEST_LABEL),
      }),
      credential: t.arg({
        type: 'JSON',
        required: true,
        description: 'Result of `navigator.credentials.create`, as `PublicKeyCredential.toJSON()` returns it.',
      }),
    },
    resolve: (_root, args, call) => addPasskey(call, args),
    answerAgain: addAgain,
  }),
  removePasskey: t.field({
    type: MessageType,
    description:
      `Removes a passkey of the caller's; with their last second factor, the recovery codes too. ${WHO} \`invalid_credentials\` if neither \`code\` nor \`passkey\` proves the second factor. \`not_found\` if there is no such passkey.` +
      listReasons('second_factor_kept'),
    ...needs(OWN_LOGIN, { missing: true }),
    args: { id: t.arg.id({ required: true, description: 'The ID of the passkey: a UUID.' }), ...proof },
    resolve: (_root, args, call) => removePasskey(call, args),
    answerAgain: passkeyRemoved,
  }),
}));
