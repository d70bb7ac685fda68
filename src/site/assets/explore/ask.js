// A question is asked at each change of its form, which keeps its focus and its place.
const form = document.querySelector('[data-question]');
const PLACE = 'question';

const ask = ({ name, type, value }) => {
  sessionStorage.setItem(PLACE, JSON.stringify({ name, value: type === 'checkbox' ? value : null, top: scrollY }));
  form.requestSubmit();
};

form.addEventListener('input', ({ target }) => {
  if (!target.matches('[data-narrow]')) return;
  const words = target.value.toLowerCase().split(/\s+/);
  for (const choice of target.closest('details').querySelectorAll('.choice'))
    choice.hidden = !words.every((word) => choice.textContent.toLowerCase().includes(word));
});
form.addEventListener('change', ({ target }) => {
  if (target.matches('[data-narrow]')) return;
  const { preset, fromDate, toDate, order, direction } = form.elements;
  // Days are those of a preset, or those that somebody chose.
  if (target === preset) fromDate.value = toDate.value = '';
  if (target === fromDate || target === toDate) preset.value = '';
  // Another order begins in its own direction.
  if (target === order) direction?.remove();
  // A day changes with each digit that is typed: it is asked for once somebody is done.
  if (target.type !== 'date') ask(target);
});
form.addEventListener('focusout', ({ target }) => {
  if (target.type === 'date' && target.value !== target.defaultValue) ask(target);
});
// What is blank says nothing: addresses are short.
form.addEventListener('formdata', ({ formData }) => {
  const blank = [...formData].filter(([, value]) => value === '');
  for (const [name] of blank) formData.delete(name);
});

const place = JSON.parse(sessionStorage.getItem(PLACE));
sessionStorage.removeItem(PLACE);
if (place && !document.querySelector('[data-focus]')) {
  const ofValue = place.value === null ? '' : `[value="${CSS.escape(place.value)}"]`;
  const chosen = form.querySelector(`[name="${CSS.escape(place.name)}"]${ofValue}:not([type="hidden"])`);
  chosen?.closest('details')?.setAttribute('open', '');
  chosen?.focus({ preventScroll: true });
  scrollTo({ top: place.top, behavior: 'instant' });
}
