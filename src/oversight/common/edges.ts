import type { ObjectRef } from '@pothos/core';
import { agencyLoader } from '../../collection/catalogue/find.ts';
import { builder } from '../../graphql/builder.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { agencyCode } from '../../graphql/input/forms.ts';
import { agencyField } from '../../collection/catalogue/edges.ts';

type TypeOf<Row> = ObjectRef<typeof builder.$inferSchemaTypes, Row>;

/** Adds the agency of rows to their type: its code and the agency itself. `which` says what it has to do with them. */
export function addAgency<Row extends { readonly agency?: string | null }>(
  type: TypeOf<Row>,
  which = 'of the group',
): void {
  builder.objectFields(type, (t) => ({
    agencyId: t.id({
      nullable: true,
      description: `The code of the agency ${which}.`,
      ...agencyCode,
      resolve: ({ agency }) => agency ?? null,
    }),
    agency: t.field({
      type: 'Agency',
      nullable: true,
      description: `The agency ${which}.`,
      resolve: ({ agency = null }, _args, call, info) => followIfAny(call, info, agencyLoader, agency),
    }),
  }));
}

/** Adds the agency that each row of a type is of: its code and the agency itself. */
export function addAgencyOf<Row extends { readonly mda: string }>(type: TypeOf<Row>, which: string): void {
  builder.objectFields(type, (t) => ({
    agencyId: t.id({ description: `The code of the agency ${which}.`, ...agencyCode, resolve: ({ mda }) => mda }),
    agency: t.field(agencyField(`The agency ${which}.`)),
  }));
}
