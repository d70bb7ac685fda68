// What pages do better with a script than without: totals and change while typing, search, payments that are watched,
// and forms that are sent once.

const format = (amount, currency) =>
  `${currency}\u00a0${new Intl.NumberFormat(document.documentElement.lang).format(amount)}`;

/** An amount as people write it: `25,000` and `25 000` are 25000. */
const amountOf = (text) => Number(text.replaceAll(/\s/g, '').replaceAll(/,(?=\d{3}(\D|$))/g, '')) || 0;

for (const element of document.querySelectorAll('.scripted')) element.hidden = false;
// Whoever types an amount means another one, and not one more digit; what somebody typed before this ran is theirs.
for (const amount of document.querySelectorAll('[inputmode="decimal"]')) {
  const select = () => amount.value === amount.defaultValue && amount.select();
  amount.addEventListener('focus', select);
  if (amount === document.activeElement) select();
}
// Browsers focus late what asks for it: by then somebody may be typing.
(document.querySelector('[data-focus]') ?? document.querySelector('[autofocus]'))?.focus();

document.addEventListener('submit', (event) => {
  const { target } = event;
  if (target.method !== 'post') return;
  // A second click is harmless, and still none that anybody means.
  if (target.dataset.sent) {
    event.preventDefault();
    return;
  }
  target.dataset.sent = 'yes';
  event.submitter?.setAttribute('aria-disabled', 'true');
});
// Whoever comes back to a page by the back button may send its form again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('[data-sent]')) delete form.dataset.sent;
});

for (const input of document.querySelectorAll('[data-filter]')) {
  const rows = [...document.querySelectorAll(`#${input.dataset.filter} tbody tr`)];
  const wordsOf = new Map(rows.map((row) => [row, `${row.textContent} ${row.dataset.words}`.toLowerCase()]));
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => wordsOf.get(row).includes(word));
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const quantity = rows.find((row) => !row.hidden)?.querySelector('[data-fee], [formaction]');
    if (!quantity?.dataset.fee) return quantity?.focus();
    quantity.value ||= '1';
    quantity.dispatchEvent(new Event('input', { bubbles: true }));
    quantity.focus();
    quantity.select();
  });
}

for (const form of document.querySelectorAll('[data-basket]')) {
  const totals = form.querySelector('[data-totals]');
  const show = () => {
    // Lines that are computed are priced by the rail.
    if (!totals) return;
    const sums = new Map();
    let whole = 0;
    for (const field of form.querySelectorAll('[data-fee]')) {
      const amount = Number(field.value) * Number(field.dataset.fee);
      const agency = field.closest('tr').cells[1].textContent;
      if (amount > 0) sums.set(agency, (sums.get(agency) ?? 0) + amount);
      whole += amount;
    }
    const { currency, total, empty } = totals.dataset;
    const parts = [...sums].map(([agency, sum]) => `${agency} ${format(sum, currency)}`);
    const beside = parts.length > 1 ? ` (${parts.join(', ')})` : '';
    totals.textContent = whole > 0 ? `${total} ${format(whole, currency)}${beside}` : empty;
  };
  form.addEventListener('input', show);
  // Tab goes from service to service: the arrows of the keyboard do what the buttons do.
  for (const field of form.querySelectorAll('[data-fee]')) {
    field.placeholder = '0';
    const steps = document.createElement('span');
    steps.className = 'steps';
    const name = field.closest('tr').cells[0].textContent;
    field.replaceWith(steps);
    const button = (textContent, step, word) => {
      const one = document.createElement('button');
      Object.assign(one, {
        type: 'button',
        className: 'other',
        textContent,
        tabIndex: -1,
        ariaLabel: `${word}: ${name}`,
      });
      one.dataset.step = step;
      return one;
    };
    steps.append(button('\u2212', -1, form.dataset.less), field, button('+', 1, form.dataset.more));
  }
  form.addEventListener('click', ({ target }) => {
    if (!target.dataset.step) return;
    const field = target.parentElement.querySelector('[data-fee]');
    const quantity = Math.min(Math.max(Number(field.value) + Number(target.dataset.step), 0), 10_000);
    field.value = quantity || '';
    show();
  });
  // A click into its box chooses one of a service.
  form.addEventListener('click', ({ target }) => {
    if (!target.matches('[data-fee]') || target.value !== '') return;
    target.value = '1';
    target.select();
    show();
  });
  show();
}

for (const form of document.querySelectorAll('[data-change]')) {
  const due = form.querySelector('[data-due]');
  const { tendered } = form.elements;
  const show = () => {
    const change = amountOf(tendered.value) - Number(tendered.min);
    tendered.setCustomValidity(change < 0 ? tendered.dataset.less : '');
    due.textContent = change >= 0 ? format(change, form.dataset.currency) : '–';
  };
  form.addEventListener('input', show);
  show();
}

for (const form of document.querySelectorAll('[data-count]')) {
  const counts = [...form.querySelectorAll('[data-value]')];
  form.addEventListener('input', ({ target }) => {
    if (!counts.includes(target)) return;
    const sum = counts.reduce((whole, { value, dataset }) => whole + Number(value) * Number(dataset.value), 0);
    form.elements.cashCounted.value = String(sum);
  });
}

// As on other sites: a slash goes to the box that finds anything, unless somebody is typing one.
document.addEventListener('keydown', (event) => {
  const seek = document.querySelector('#seek');
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !seek) return;
  if (event.target.closest('input, textarea, [contenteditable]')) return;
  event.preventDefault();
  if (!seek.checkVisibility()) seek.closest('[popover]').showPopover();
  seek.select();
  seek.focus();
});

for (const button of document.querySelectorAll('[data-print]')) button.addEventListener('click', () => print());
// What was just counted as printed is.
if (document.querySelector('[data-print-now]')) print();

/** What tells one state of a page from another: its status, or else all that it says. */
const says = (live) => (live.querySelector('.status') ?? live).textContent;

/** Whether somebody is filling in a form of it, or reads what they opened. */
const isInUse = (live) => live.querySelector('details[open], :is(input, select, textarea):focus') !== null;

/** Asks for a page again until what it shows is final; a network that is away is waited for. */
async function watch() {
  const live = document.querySelector('#live');
  const wait = Number(live?.dataset.live);
  if (!wait) return;
  await new Promise((resolve) => setTimeout(resolve, wait));
  try {
    const answer = await fetch(live.dataset.address, { headers: { accept: 'text/html' } });
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('#live');
    if (answer.ok && next && says(next) !== says(live) && !isInUse(live)) {
      // Screen readers announce changes in a region, not new regions.
      live.replaceChildren(...next.childNodes);
      live.dataset.live = next.dataset.live ?? '';
      live.querySelector('[autofocus]')?.focus();
    }
  } catch {
    // The network is away: the page says what it knew, and asks again.
  }
  await watch();
}
await watch();

// A box that scrolls sideways keeps the heads of its table from staying in sight: only where it has to.
const fitted = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const box = target.closest('.scroll');
    if (!box.matches('.tall')) box.classList.toggle('fits', box.scrollWidth <= box.clientWidth);
  }
});
for (const box of document.querySelectorAll('.scroll')) for (const part of [box, ...box.children]) fitted.observe(part);
