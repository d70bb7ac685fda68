/** Fragments as a program of Relay has them: a list to page through both ways, and records that are read anew by their ID. */
export const RELAY_PROGRAM = `
import { graphql } from 'relay-runtime';

export const page = graphql\`
  query programQuery($first: Int!, $citizen: ID!) {
    ...program_assessments @arguments(first: $first)
    ...program_events @arguments(first: $first)
    node(id: $citizen) { ...program_citizen @alias(as: "citizen") }
  }
\`;

export const assessments = graphql\`
  fragment program_assessments on Query
  @argumentDefinitions(
    first: { type: "Int" }
    after: { type: "String" }
    last: { type: "Int" }
    before: { type: "String" }
    status: { type: "AssessmentStatus" }
  )
  @refetchable(queryName: "programAssessmentsQuery") {
    assessments(first: $first, after: $after, last: $last, before: $before, status: $status)
    @connection(key: "program_assessments", filters: ["status"]) {
      totalCount
      edges { node { ...program_assessment } }
    }
  }
\`;

export const assessment = graphql\`
  fragment program_assessment on Assessment @refetchable(queryName: "programAssessmentQuery") {
    status
    totalAmount
    citizenId
    citizen { fullName }
    lines { amount agency { id name } service { id serviceName } }
  }
\`;

export const citizen = graphql\`
  fragment program_citizen on Citizen
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" })
  @refetchable(queryName: "programCitizenQuery") {
    fullName
    assessments(first: $count, after: $cursor) @connection(key: "program_citizen_assessments") {
      edges { node { ...program_assessment } }
    }
  }
\`;

export const events = graphql\`
  fragment program_events on Query
  @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" })
  @refetchable(queryName: "programEventsQuery") {
    paymentEvents(first: $first, after: $after) @connection(key: "program_paymentEvents") {
      edges { node { amount currency intentId intent { status } assessment { status } } }
    }
  }
\`;

export const revenue = graphql\`
  fragment program_revenue on Query
  @argumentDefinitions(count: { type: "Int", defaultValue: 100 }, cursor: { type: "String" })
  @refetchable(queryName: "programRevenueQuery") {
    oversight {
      figureRecords(by: [channel, month], first: $count, after: $cursor) @connection(key: "program_figureRecords") {
        edges { node { channel month currency net } }
      }
    }
  }
\`;

export const cancel = graphql\`
  mutation programCancelMutation($id: ID!, $reason: String) {
    cancelAssessment(id: $id, reason: $reason) { ...program_assessment }
  }
\`;
`;

/** A dashboard's use of the types of an operation. */
export const TYPED_PROGRAM = `
import type { RevenueByAgencyQuery, RevenueByAgencyQueryVariables } from './operations.ts';

export const variables: RevenueByAgencyQueryVariables = { fromDate: '2026-01-01', currency: ['UGX'] };
export function sum({ oversight: { figures } }: RevenueByAgencyQuery): number {
  return (figures?.nodes ?? []).reduce((total, { revenue }) => total + (revenue?.net ?? 0), 0);
}
// @ts-expect-error a name that no row has
export const wrong = ({ oversight }: RevenueByAgencyQuery) => oversight.figures?.nodes[0]?.nett;
`;
