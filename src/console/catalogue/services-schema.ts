import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, docname, requiredText } from '../../graphql/input/forms.ts';
import { currencyArgs } from '../../graphql/input/currency.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { LONGEST_LABEL, LONGEST_NAME } from '../../kernel/text/free-text.ts';
import { getService } from '../../collection/catalogue/find.ts';
import { describeCharge } from '../../collection/catalogue/tariff/find.ts';
import { TariffSentenceType, TariffType } from '../../collection/catalogue/tariff/schema.ts';
import { ServiceStatusEnum, ServiceType } from '../../collection/catalogue/schema.ts';
import { pendingApprovalOf } from '../../collection/approvals/find.ts';
import { ApprovalType } from '../../collection/approvals/schema.ts';
import { amendService, readAmended } from '../../collection/catalogue/services/amend.ts';
import { feeApproval } from '../../collection/catalogue/services/fee-approval.ts';
import { createService } from '../../collection/catalogue/services/create.ts';
import { type FeeChange, previewFee } from '../../collection/catalogue/services/preview.ts';
import { readers, writers } from '../audience.ts';
import { revisionArgs, whyArgs } from './arguments.ts';

const tariffArgs = builder.args((t) => ({
  tariff: t.field({
    type: 'JSON',
    description:
      'The charges of the law instead of a fee per unit: an object of `law`, `categories` and perhaps `due`, at most 16 KiB. `/docs/tariffs` has its form.',
  }),
}));

const FeeChangeType = builder.objectRef<FeeChange>('FeeChange').implement({
  description: 'Effects of setting a fee of a service.',
  fields: (t) => ({
    serviceId: t.id({ description: 'The docname of the service.', resolve: ({ service }) => service.name }),
    service: t.expose('service', { type: ServiceType, description: 'The service, as it is.' }),
    feeAmount: t.expose('feeAmount', {
      type: 'Decimal',
      description: "The fee per unit, in the service's currency; of a tariff, what it costs at least, or 0.",
    }),
    words: t.field({
      type: [TariffSentenceType],
      description: 'The charge in sentences.',
      resolve: ({ service: { currency }, ...charge }) => describeCharge({ ...charge, currency }),
    }),
    ratio: t.exposeFloat('ratio', {
      nullable: true,
      description:
        'The fee divided by the one that is charged now: 1.1 is 10 % more. Null if nothing is charged now, and for a tariff.',
    }),
    effectiveAt: t.expose('effectiveAt', { type: 'DateTime', description: 'Time from which the fee would apply.' }),
    takesApproval: t.exposeBoolean('takesApproval', {
      description: 'True if it would wait for another, independent operator to approve it.',
    }),
  }),
});

builder.prismaObjectFields(ServiceType, (t) => ({
  pendingApproval: t.field({
    type: ApprovalType,
    nullable: true,
    description: `The request for another fee, which holds once somebody independent approves it; null if none waits. ${readers}`,
    ...needs('operations.read', { alone: true }),
    resolve: ({ name }, _args, call) => pendingApprovalOf(call, feeApproval, name),
  }),
}));

builder.objectFields(TariffType, (t) => ({
  setBy: t.exposeString('setBy', {
    nullable: true,
    description: `The person who set it, or approved it where that takes two. Null for one from before this was kept. ${readers}`,
    ...needs('operations.read', { alone: true }),
  }),
}));

builder.queryFields((t) => ({
  feeChange: t.field({
    type: FeeChangeType,
    nullable: true,
    description: `Says what setting a fee would change, and changes nothing. ${readers}`,
    ...needs('operations.read', { missing: true }),
    args: {
      id: t.arg.id({ required: true, description: 'The docname of the service.', ...docname('service') }),
      feeAmount: t.arg({ type: 'Decimal', description: "The fee per unit, in the currency of the agency's country." }),
      ...tariffArgs,
      effectiveFrom: t.arg({
        type: 'Date',
        description: "The day on which it begins to apply, in the agency's country. Default: at once.",
      }),
    },
    resolve: (_root, args, call) => previewFee(call, args),
  }),
}));

builder.mutationFields((t) => ({
  createService: t.field({
    type: ServiceType,
    description: `Adds a service to an agency, priced in the currency of its country. On a live rail a fee or tariff waits for an independent operator (\`pendingApproval\`), and until then the service cannot be assessed. ${writers}${listReasons('code_taken')}`,
    ...needs('operations.write', { people: 'two where it widens' }),
    args: {
      agency: t.arg.id({ required: true, description: 'The code of the agency that offers it.', ...agencyCode }),
      code: t.arg.string({
        required: true,
        description: "The agency's own code for it, which stays, and stands for no other service.",
        ...requiredText(LONGEST_LABEL),
      }),
      serviceName: t.arg.string({
        required: true,
        description: 'Its name, at most 200 characters.',
        ...requiredText(LONGEST_NAME),
      }),
      sector: t.arg.string({
        required: true,
        description: 'The sector, such as `transport`; it may be a new one.',
        ...requiredText(LONGEST_LABEL),
      }),
      family: t.arg.string({
        required: true,
        description: 'The kind of revenue, such as `licence` or `tax`.',
        ...requiredText(LONGEST_LABEL),
      }),
      feeAmount: t.arg({
        type: 'Decimal',
        description: "The official fee per unit, exact to the currency's minor unit; required without a tariff.",
      }),
      ...tariffArgs,
      ...currencyArgs,
      status: t.arg({ type: ServiceStatusEnum, description: 'State of the service. Default: `Active`.' }),
      ...whyArgs,
    },
    resolve: (_root, args, call) => createService(call, args),
    answerAgain: getService,
  }),
  amendService: t.field({
    type: ServiceType,
    description: `Changes a service; what is left out stays. A fee holds at once, or from a coming day on. Drafts are assessed at the fee of their moment, and what was assessed stays as it is. On a live rail a fee waits for an independent operator (\`pendingApproval\`) if it differs by over a tenth, holds at once, or is the first. Each tariff waits. The service is answered as it is. ${writers}${listReasons('revision_stale', 'has_tariff', 'fee_alone', 'approval_pending')}`,
    ...needs('operations.write', { people: 'two where it widens', missing: true }),
    args: {
      id: t.arg.id({ required: true, description: 'The docname of the service.', ...docname('service') }),
      ...revisionArgs,
      serviceName: t.arg.string({ description: 'Its name, at most 200 characters.', ...requiredText(LONGEST_NAME) }),
      sector: t.arg.string({
        description: 'The sector, such as `transport`; it may be a new one.',
        ...requiredText(LONGEST_LABEL),
      }),
      family: t.arg.string({
        description: 'The kind of revenue, such as `licence` or `tax`.',
        ...requiredText(LONGEST_LABEL),
      }),
      status: t.arg({ type: ServiceStatusEnum, description: 'State of the service.' }),
      feeAmount: t.arg({
        type: 'Decimal',
        description: "The official fee per unit, exact to the currency's minor unit.",
      }),
      ...tariffArgs,
      ...currencyArgs,
      effectiveFrom: t.arg({
        type: 'Date',
        description:
          "The coming day, `YYYY-MM-DD` in the agency's country, from which `feeAmount` or `tariff` holds. It replaces what was set for another day. Default: the fee holds at once.",
      }),
      withdrawNextFee: t.arg.boolean({
        description: 'If true, the fee that is set for a coming day is taken back. Default: false.',
      }),
      ...whyArgs,
    },
    resolve: (_root, args, call) => amendService(call, args),
    answerAgain: readAmended,
  }),
}));
