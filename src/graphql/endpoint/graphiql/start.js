/* global React, ReactDOM, GraphiQL, graphqlSse -- the bundles that the page loads before this */
'use strict';

const FIRST_QUERY = `# Agencies and services are open to everyone; for all else, sign in or set your key above.
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
field.value = sessionStorage.getItem(KEY) ?? '';
field.addEventListener('input', () => {
  sessionStorage.setItem(KEY, field.value.trim());
  void sayWho();
});

/** Where somebody is signed in: of a key, its account. */
async function sayWho() {
  const who = document.getElementById('who');
  const staff = await queryRail({ query: '{ whoami { email } }' });
  const account = await queryRail({ query: '{ session { integrator { id } } }' });
  const name = staff.data?.whoami?.email ?? account.data?.session?.integrator?.id;
  who.textContent = name ? `You are signed in as ${name}.` : 'You are not signed in.';
}

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
  return queryRail(params, sent);
}

/** The session of the browser counts where no key is set: two credentials are refused together. */
async function queryRail(params, headers = headersWith()) {
  const answer = await fetch('/graphql', {
    method: 'POST',
    credentials: Object.keys(headers).some((name) => name.toLowerCase() === 'authorization') ? 'omit' : 'same-origin',
    headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(params),
  });
  return answer.json();
}

/** One tab: the first look, or the operation that is chosen, which the address names after `#`. */
async function start() {
  const { data } = await (await fetch('/graphql/operations')).json();
  const choice = document.getElementById('question');
  for (const { name } of data) choice.add(new Option(name.replaceAll('-', ' '), name));
  const chosen = data.find(({ name }) => name === location.hash.slice(1));
  const given = (chosen?.variables ?? []).filter((variable) => 'default' in variable);
  const variables = JSON.stringify(Object.fromEntries(given.map((one) => [one.name, one.default])), null, 2);
  const tab = chosen ? { query: `# ${chosen.description}\n${chosen.document}\n`, variables } : { query: FIRST_QUERY };
  choice.value = chosen?.name ?? '';
  const graphiql = React.createElement(GraphiQL, {
    fetcher,
    defaultTabs: [tab],
    storage: storageOf(choice.value),
  });
  ReactDOM.createRoot(document.getElementById('graphiql')).render(graphiql);
  choice.addEventListener('change', () => (location.hash = choice.value));
  // GraphiQL takes its tabs once.
  addEventListener('hashchange', () => location.reload());
  await sayWho();
}

/** What GraphiQL keeps of each question, as long as the tab of the browser is open. */
function storageOf(question) {
  const named = (name) => `${question}:${name}`;
  return {
    get length() {
      return sessionStorage.length;
    },
    getItem: (name) => sessionStorage.getItem(named(name)),
    setItem: (name, value) => sessionStorage.setItem(named(name), value),
    removeItem: (name) => sessionStorage.removeItem(named(name)),
    clear: () => sessionStorage.clear(),
  };
}

void start();
