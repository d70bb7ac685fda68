import { readers, writers } from './audience.ts';
import { builder, needs } from '../graphql/builder.ts';
import { connection } from '../graphql/graph/connection.ts';
import { REASON, agencyList, between, channelList, freeText, integratorCode } from '../graphql/input/forms.ts';
import { MOST_REQUESTS_A_MINUTE } from '../accounts/integrators/bounds.ts';
import { getIntegrator, listIntegrators } from '../accounts/integrators/find.ts';
import {
  IntegratorConnection,
  IntegratorStatusEnum,
  IntegratorTierEnum,
  IntegratorType,
  PricingTierEnum,
} from '../accounts/integrators/integrator-schema.ts';
import { OperatorEntryConnection } from './audit/schema.ts';
import { listOperations } from './audit/find.ts';
import { amendIntegrator, moveIntegrator } from '../accounts/integrators/amend.ts';
import { LONGEST_ADDRESS } from '../kernel/text/email.ts';
import { LONGEST_LABEL, LONGEST_NAME, LONGEST_NOTE, LONGEST_REASON } from '../kernel/text/free-text.ts';
import './agency-keys-schema.ts';
import './anomalies/alerts/schema.ts';
import './anomalies/schema.ts';
import './catalogue/schema.ts';
import './going-live-schema.ts';
import './default-endpoint-schema.ts';
import './keys-schema.ts';
import './notices-schema.ts';
import './overview/causes-schema.ts';
import './overview/schema.ts';
import './webhooks-schema.ts';

builder.queryFields((t) => ({
  integrators: t.field({
    description: `Accounts, newest first. ${readers}`,
    ...needs('operations.read'),
    ...connection(IntegratorConnection, {
      most: 200,
      args: {
        q: t.arg.string({
          description: 'Search by part of the code, names or e-mail address; not case-sensitive.',
          ...freeText(LONGEST_NAME),
        }),
        status: t.arg({ type: IntegratorStatusEnum, description: 'Only accounts in this status. Default: in any.' }),
        tier: t.arg({ type: IntegratorTierEnum, description: 'Only accounts of this tier. Default: of any.' }),
      },
    }),
    resolve: (_root, args, call) => listIntegrators(call, args, args),
  }),
  integrator: t.field({
    type: IntegratorType,
    description: `Returns an account. ${readers}`,
    ...needs('operations.read'),
    args: { id: t.arg.id({ required: true, description: 'The code of the account.', ...integratorCode }) },
    resolve: (_root, { id }, call) => getIntegrator(call, id),
  }),
  operatorAudit: t.field({
    description: `Audit records of operators' and supervisors' actions, newest first. For admins, system managers, the oversight role and auditors.`,
    ...needs('audit.read'),
    ...connection(OperatorEntryConnection, {
      most: 200,
      searched: ['actor', 'action', 'subject', 'fromDate', 'toDate'],
      args: {
        actor: t.arg.string({
          description: 'Only what this actor did: an e-mail address, a code, or a command.',
          ...freeText(LONGEST_ADDRESS),
        }),
        action: t.arg.string({ description: 'Only this action, such as `key.issue`.', ...freeText(LONGEST_LABEL) }),
        subject: t.arg.string({ description: 'Filter by document (docname).', ...freeText(LONGEST_LABEL) }),
        fromDate: t.arg({ type: 'Date', description: 'The first UTC day of the span.' }),
        toDate: t.arg({ type: 'Date', description: 'The last UTC day of the span, included.' }),
      },
    }),
    resolve: (_root, args, call) => listOperations(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  amendIntegrator: t.field({
    type: IntegratorType,
    description: `Changes an account's tiers, what it may use, how much, or notes on it; from its next request on. A lower tier stops its live keys. ${writers}`,
    ...needs('operations.write', { people: 'two where it widens' }),
    args: {
      id: t.arg.id({ required: true, description: 'The code of the account.', ...integratorCode }),
      tier: t.arg({ type: IntegratorTierEnum, description: 'The tier: `sandbox` or `live`.' }),
      pricingTier: t.arg({
        type: PricingTierEnum,
        description: 'Pricing tier of the account: its price and allowances.',
      }),
      allowedChannels: t.arg.stringList({
        description: 'The payment channels by which the account may collect, or `*` alone for all; empty for none.',
        ...channelList,
      }),
      allowedAgencies: t.arg.stringList({
        description:
          'The codes of the agencies for which the account may assess and collect, or `*` alone for all; empty for none.',
        ...agencyList,
      }),
      limitPerMinute: t.arg.int({
        description: 'Number of requests a minute the account may send; null: as many as its pricing tier allows.',
        ...between(1, MOST_REQUESTS_A_MINUTE),
      }),
      notes: t.arg.string({
        description: 'Notes on the account, at most 4,000 characters; null clears them.',
        ...freeText(LONGEST_NOTE),
      }),
      reason: t.arg.string({ description: 'The reason, at most 280 characters.', ...freeText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => amendIntegrator(call, args),
    answerAgain: getIntegrator,
  }),
  suspendIntegrator: t.field({
    type: IntegratorType,
    description: `Suspends an account: its keys and sessions are refused with 401 immediately. Nothing is deleted. ${writers}`,
    ...needs('operations.write', { people: 'alone' }),
    args: {
      id: t.arg.id({ required: true, description: 'The code of the account.', ...integratorCode }),
      reason: t.arg.string(REASON),
    },
    resolve: (_root, args, call) => moveIntegrator(call, 'suspend', args),
    answerAgain: getIntegrator,
  }),
  reactivateIntegrator: t.field({
    type: IntegratorType,
    description: `Lifts the suspension of an account. ${writers}`,
    // It can then do what two people approved before, and no more: bounds of a suspended account take two as well.
    ...needs('operations.write', { people: 'alone' }),
    args: {
      id: t.arg.id({ required: true, description: 'The code of the account.', ...integratorCode }),
      reason: t.arg.string(REASON),
    },
    resolve: (_root, args, call) => moveIntegrator(call, 'reactivate', args),
    answerAgain: getIntegrator,
  }),
}));
