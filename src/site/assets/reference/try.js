// Sends a request of the API reference as it is filled in, and shows what was answered.
const KEY = 'revenue-rail:key';
const LANGUAGE = 'revenue-rail:language';
const form = document.querySelector('[data-try]');
const key = document.getElementById('try-key');
const outcome = form?.querySelector('[data-outcome]');
if (key) key.value = sessionStorage.getItem(KEY) ?? '';

/** The request that the form describes: what is filled in goes into the path, the query and the body. */
function readRequest() {
  const [method, template] = form.dataset.try.split(' ');
  const inputs = [...form.querySelectorAll('[data-in]')].filter(({ value }) => value !== '');
  const nameOf = ({ name }) => name.replace('try.', '');
  const path = inputs
    .filter(({ dataset }) => dataset.in === 'path')
    .reduce((at, input) => at.replace(`{${nameOf(input)}}`, encodeURIComponent(input.value)), template);
  const asked = inputs.filter(({ dataset }) => dataset.in === 'query').map((input) => [nameOf(input), input.value]);
  const query = new URLSearchParams(asked);
  const body = document.getElementById('try-body');
  const secret = key?.value.trim();
  return {
    address: query.size > 0 ? `${path}?${query}` : path,
    options: {
      method,
      // A key and a session are two credentials, which are refused together. What a link filled in is sent as nobody else.
      credentials: secret || 'filledIn' in form.dataset ? 'omit' : 'same-origin',
      headers: {
        accept: 'application/json',
        ...(secret && { authorization: `Bearer ${secret}` }),
        ...(secret && 'repeatable' in form.dataset && { 'idempotency-key': crypto.randomUUID() }),
        ...(body && { 'content-type': body.dataset.media }),
      },
      ...(body && { body: body.value }),
    },
  };
}

/** A text as it is, or JSON with its lines. */
function laidOut(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(status, text) {
  const heading = document.createElement('p');
  const code = document.createElement('pre');
  const strong = document.createElement('strong');
  strong.textContent = status;
  heading.append(strong);
  code.textContent = laidOut(text);
  code.tabIndex = 0;
  outcome.replaceChildren(heading, ...(text ? [code] : []));
}

async function send() {
  if (!form.reportValidity()) return;
  if (key) sessionStorage.setItem(KEY, key.value.trim());
  const { address, options } = readRequest();
  try {
    const answer = await fetch(address, options);
    show(`${answer.status} ${answer.statusText}`, await answer.text());
  } catch {
    show(form.dataset.failed, '');
  }
}
form?.querySelector('[data-send]').addEventListener('click', () => void send());

// The language that somebody reads examples in is that of all, and stays from page to page.
const languages = [...document.querySelectorAll('.tabs > input')];
function readIn(language) {
  for (const one of languages) if (one.value === language) one.checked = true;
}
readIn(sessionStorage.getItem(LANGUAGE));
for (const one of languages)
  one.addEventListener('change', () => {
    sessionStorage.setItem(LANGUAGE, one.value);
    const { top } = one.getBoundingClientRect();
    readIn(one.value);
    // Programs above are longer or shorter now: what somebody chose stays where it was.
    scrollBy(0, one.getBoundingClientRect().top - top);
  });
