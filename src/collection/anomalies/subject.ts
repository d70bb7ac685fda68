import type { ObjectRef } from '@pothos/core';
import { builder } from '../../graphql/builder.ts';
import { followToAny, typenameOf } from '../../graphql/graph/node.ts';

/** A type of records that an anomaly can be about. */
type Subject = ObjectRef<typeof builder.$inferSchemaTypes, object>;

const subjects: Subject[] = [];

/** Says that anomalies can be about records of a type, which are looked up by their ids. */
export function addAnomalySubject(type: Subject): void {
  subjects.push(type);
}

const SubjectType = builder.unionType('AnomalySubject', {
  description: 'A record that an anomaly is about.',
  types: () => subjects,
  resolveType: typenameOf,
});

builder.prismaObjectField('Anomaly', 'subject', (t) =>
  t.field({
    type: SubjectType,
    nullable: true,
    description:
      'The record concerned, under the rules of the query for its type; null for others, such as the revenue of a day.',
    resolve: ({ subject }, _args, call, info) => followToAny(call, info, subject),
  }),
);
