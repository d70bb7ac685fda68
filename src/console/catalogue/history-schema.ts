import { builder, needs } from '../../graphql/builder.ts';
import { connection } from '../../graphql/graph/connection.ts';
import { agencyCode, docname } from '../../graphql/input/forms.ts';
import { getAgency, getService } from '../../collection/catalogue/find.ts';
import { AgencyType, ServiceType } from '../../collection/catalogue/schema.ts';
import { listOperations, listOperationsOf } from '../audit/find.ts';
import { readers } from '../audience.ts';
import { OperatorEntryConnection } from '../audit/schema.ts';

const history = { most: 200, args: {} };

builder.prismaObjectFields(AgencyType, (t) => ({
  history: t.field({
    description: `Changes that operators made to the agency, newest first, each with its author, its time, and the value before and after. ${readers}`,
    ...needs('audit.read', { alone: true }),
    ...connection(OperatorEntryConnection, history),
    resolve: ({ name }, args, call) => listOperationsOf(call, name, args),
  }),
}));

builder.prismaObjectFields(ServiceType, (t) => ({
  history: t.field({
    description: `Changes that operators made to the service, newest first, each with its author, its time, and the value before and after. ${readers}`,
    ...needs('audit.read', { alone: true }),
    ...connection(OperatorEntryConnection, history),
    resolve: ({ name }, args, call) => listOperationsOf(call, name, args),
  }),
}));

builder.queryFields((t) => ({
  agencyHistory: t.field({
    description: `Changes that operators made to an agency, newest first, each with its author, its time, and the value before and after. ${readers}`,
    ...needs('audit.read', { missing: true }),
    ...connection(OperatorEntryConnection, {
      most: 200,
      args: { id: t.arg.id({ required: true, description: "The agency's short code, such as `URA`.", ...agencyCode }) },
    }),
    resolve: async (_root, args, call) => {
      const { name } = await getAgency(call, args.id);
      return listOperations(call, { subject: name }, args);
    },
  }),
  serviceHistory: t.field({
    description: `Changes that operators made to a service, newest first, each with its author, its time, and the value before and after. ${readers}`,
    ...needs('audit.read', { missing: true }),
    ...connection(OperatorEntryConnection, {
      most: 200,
      args: { id: t.arg.id({ required: true, description: 'The docname of the service.', ...docname('service') }) },
    }),
    resolve: async (_root, args, call) => {
      const { name } = await getService(call, args.id);
      return listOperations(call, { subject: name }, args);
    },
  }),
}));
