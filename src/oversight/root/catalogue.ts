import { type RecordLoader, loadByKey } from '../../platform/reading/batch.ts';
import { sql } from '../../platform/database/sql.ts';
import { builder } from '../../graphql/builder.ts';
import { follow } from '../../graphql/graph/edge.ts';
import { agencyCode, countryCode, docname } from '../../graphql/input/forms.ts';

/** An agency as the role of oversight sees it. */
interface OverseenAgency {
  readonly id: string;
  readonly mdaName: string;
  readonly mdaType: string;
  readonly country: string;
  readonly region: string | null;
  readonly district: string | null;
}

/** A service as the role of oversight sees it. */
interface OverseenService {
  readonly id: string;
  readonly code: string;
  readonly serviceName: string;
  readonly mda: string;
  readonly sector: string;
  readonly family: string;
}

export const agencyLoader: RecordLoader<OverseenAgency> = loadByKey(
  'id',
  ({ id }) => id,
  ({ oversight }, codes) =>
    oversight.rows(sql`
      select mda as id, mda_name as "mdaName", mda_type as "mdaType", country, region, district
      from oversight.agency where mda = any(${codes})`),
);

export const serviceLoader: RecordLoader<OverseenService> = loadByKey(
  'id',
  ({ id }) => id,
  ({ oversight }, names) =>
    oversight.rows(sql`
      select service as id, code, service_name as "serviceName", mda, sector, family
      from oversight.service where service = any(${names})`),
);

export const OverseenAgencyType = builder.objectRef<OverseenAgency>('OverseenAgency').implement({
  description:
    'An agency that revenue is owed to. Unlike `Mda`, it leads to nothing but what oversight may see: to no shift, and so to nobody.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The agency's short code, such as `URA`.", ...agencyCode }),
    mdaName: t.exposeString('mdaName', { description: 'The full name of the agency.' }),
    mdaType: t.exposeString('mdaType', { description: 'The type of agency, such as `tax_authority`.' }),
    country: t.exposeString('country', {
      description: 'The code of its country profile (ISO 3166-1 alpha-2).',
      ...countryCode,
    }),
    region: t.exposeString('region', {
      nullable: true,
      description: 'The region of the country where the agency is; null where its country profile does not say.',
    }),
    district: t.exposeString('district', {
      nullable: true,
      description: 'The district where the agency is; null where its country profile does not say.',
    }),
  }),
});

export const OverseenServiceType = builder.objectRef<OverseenService>('OverseenService').implement({
  description: 'A service that revenue is collected for, as the catalogue has it now.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The service's docname, `SVC-<yyyy>-<6 digits>`.", ...docname('service') }),
    code: t.exposeString('code', { description: 'The code of the service, such as `URA-PAYE`.' }),
    serviceName: t.exposeString('serviceName', { description: 'The name of the service.' }),
    sector: t.exposeString('sector', { description: 'The sector that the service belongs to.' }),
    family: t.exposeString('family', { description: 'The family of services that it belongs to.' }),
    agencyId: t.exposeID('mda', { description: 'The code of the agency that offers the service.', ...agencyCode }),
    agency: t.field({
      type: OverseenAgencyType,
      description: 'The agency that offers the service.',
      resolve: ({ mda }, _args, call, info) => follow(call, info, agencyLoader, mda),
    }),
  }),
});
