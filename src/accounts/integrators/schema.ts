import { builder, needs } from '../../graphql/builder.ts';
import { connection } from '../../graphql/graph/connection.ts';
import { follow } from '../../graphql/graph/edge.ts';
import { PHONE_COUNTRY, between, freeText, phone } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { PART_OF_ACCOUNT } from '../../platform/access/needs.ts';
import { countKeys } from '../keys/count.ts';
import { listKeysOf } from '../keys/find.ts';
import { ApiKeyConnection, ApiKeyStatusEnum, ApiKeyType } from '../keys/schema.ts';
import { getIntegrator, integratorLoader } from './find.ts';
import { IntegratorType } from './integrator-schema.ts';
import { MOST_RETURN_HOSTS, MOST_VOLUME, updateProfile, readUpdatedProfile } from './update.ts';
import { LONGEST_ENDPOINT } from '../endpoints/address.ts';
import { LONGEST_NAME } from '../../kernel/text/free-text.ts';
import './going-live/schema.ts';
import './sign-up/schema.ts';

builder.objectFields(IntegratorType, (t) => ({
  activeKeyCount: t.int({
    description: 'The number of active keys.',
    resolve: async ({ code }, _args, call) => (await countKeys(call, code)).active,
  }),
  totalKeyCount: t.int({
    description: 'The number of keys in any status.',
    resolve: async ({ code }, _args, call) => (await countKeys(call, code)).total,
  }),
  keys: t.field({
    description: 'Its keys, newest first, including revoked and rolling keys.',
    ...needs(PART_OF_ACCOUNT, { alone: true }),
    ...connection(ApiKeyConnection, {
      most: 200,
      args: { status: t.arg({ type: ApiKeyStatusEnum, description: 'Only keys in this status. Default: in any.' }) },
    }),
    resolve: ({ code }, args, call) => listKeysOf(call, code, args, args),
  }),
}));

builder.objectField(ApiKeyType, 'integrator', (t) =>
  t.field({
    type: IntegratorType,
    description: 'The integrator that owns the key.',
    ...needs(PART_OF_ACCOUNT, { alone: true }),
    resolve: ({ integrator }, _args, call, info) => follow(call, info, integratorLoader, integrator),
  }),
);

builder.queryFields((t) => ({
  me: t.field({
    type: IntegratorType,
    description: 'Returns your account with current counters. Requires a session or a key.',
    ...needs('account'),
    resolve: (_root, _args, call) => getIntegrator(call, call.viewer.integrator!),
  }),
}));

builder.mutationFields((t) => ({
  updateMe: t.field({
    type: IntegratorType,
    description:
      'Updates the fields given; null clears a field. Requires a session, or a key that manages the account.',
    ...needs('account.manage'),
    args: {
      displayName: t.arg.string({
        description: 'The display name, at most 200 characters. It cannot be cleared.',
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
      phoneCountry: t.arg.string(PHONE_COUNTRY),
      returnHosts: t.arg.stringList({
        description:
          "The hosts to which a payer's browser may be sent back, at most 20, by their names in lower case, without wildcards. Replaces those before.",
        ...shape({ maxItems: MOST_RETURN_HOSTS, items: { examples: ['shop.example.com'] } }),
      }),
    },
    resolve: (_root, args, call) => updateProfile(call, args),
    answerAgain: readUpdatedProfile,
  }),
}));
