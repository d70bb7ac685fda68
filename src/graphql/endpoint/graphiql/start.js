/* global React, ReactDOM, GraphiQL, graphqlSse -- the bundles that the page loads before this */
'use strict';

const FIRST_QUERY = `# Agencies and services are open to everyone; for all else, set your key above.
query FirstLook {
  agencies(country: "UG", first: 5) {
    nodes {
      id
      name
      interactionMode
      services {
        nodes {
          id
          serviceName
          feeAmount
          currency
        }
      }
    }
  }
}
`;

const KEY = 'revenue-rail:key';
const field = document.getElementById('key');
field.value = localStorage.getItem(KEY) ?? '';
field.addEventListener('input', () => localStorage.setItem(KEY, field.value.trim()));

/** The key of the field, but where the headers of a tab name another. */
function headersWith(headers = {}) {
  const key = field.value.trim();
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return key && !named ? { ...headers, Authorization: `Bearer ${key}` } : headers;
}

/** Subscriptions come as server-sent events, all else as one answer. */
async function fetcher({ operationName: name, ...asked }, { headers, documentAST } = {}) {
  const sent = headersWith(headers);
  // For a moment after another tab is opened, GraphiQL still names the operation of the one before.
  const params = name && asked.query.includes(name) ? { ...asked, operationName: name } : asked;
  const operations = documentAST?.definitions.filter(({ kind }) => kind === 'OperationDefinition') ?? [];
  const operation = operations.find((one) => !params.operationName || one.name?.value === params.operationName);
  if (operation?.operation === 'subscription')
    return graphqlSse.createClient({ url: '/graphql', headers: sent, retryAttempts: 0 }).iterate(params);
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { ...sent, 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(params),
  });
  return answer.json();
}

/** The first look, and a tab for each operation that is known by name. */
async function start() {
  const { data } = await (await fetch('/graphql/operations')).json();
  const tabs = data.map(({ description, document: query, variables }) => {
    const given = variables
      .filter((variable) => 'default' in variable)
      .map((variable) => [variable.name, variable.default]);
    return {
      query: `# ${description}\n${query}\n`,
      variables: given.length > 0 ? JSON.stringify(Object.fromEntries(given), null, 2) : undefined,
    };
  });
  const graphiql = React.createElement(GraphiQL, {
    fetcher,
    defaultTabs: [{ query: FIRST_QUERY }, ...tabs],
    shouldPersistHeaders: true,
  });
  ReactDOM.createRoot(document.getElementById('graphiql')).render(graphiql);
}

void start();
