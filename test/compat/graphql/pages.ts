import { createAssessed, makeActor } from '../../harness/flow.ts';
import type { TestRail } from '../../harness/rail.ts';

/** A page of assessments with what they lead to, as a table shows it. */
export const PAGE = `
  query Page($first: Int, $after: String, $last: Int, $before: String) {
    assessments(first: $first, after: $after, last: $last, before: $before) {
      totalCount
      edges { cursor node { __typename id status citizen { __typename id fullName } } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`;

/** One assessment by its ID, as a page of its own shows it. */
export const ONE = 'query One($id: ID!) { assessment(id: $id) { __typename id status totalAmount } }';

export const CANCEL = `
  mutation Cancel($id: ID!) { cancelAssessment(id: $id, reason: "Entered twice") { __typename id status } }
`;

/** The answer to a page of assessments. */
export interface Page {
  readonly assessments: {
    readonly totalCount: number;
    readonly edges: readonly {
      readonly cursor: string;
      readonly node: {
        readonly __typename: 'Assessment';
        readonly id: string;
        readonly status: string;
        readonly citizen: { readonly __typename: 'Citizen'; readonly id: string; readonly fullName: string };
      };
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
  };
}

export const idsOf = ({ assessments }: Page): string[] => assessments.edges.map(({ node }) => node.id);

/** A caller with five assessments, the newest first. */
export async function makeOwner(rail: TestRail): Promise<{ key: string; ids: readonly string[] }> {
  const actor = await makeActor(rail);
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift(await createAssessed(rail, actor));
  return { key: actor.key, ids };
}

/** `fetch` that counts what it asks. */
export function countingFetch(): { fetch: typeof fetch; asked: () => number } {
  let asked = 0;
  return {
    fetch: (...request) => {
      asked++;
      return fetch(...request);
    },
    asked: () => asked,
  };
}
