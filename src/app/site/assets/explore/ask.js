// A question is asked as it is changed, and whoever changes it stays where they are in its form.
const form = document.querySelector('[data-question]');
const PLACE = 'question';

const ask = ({ name, type, value }) => {
  sessionStorage.setItem(PLACE, JSON.stringify({ name, value: type === 'checkbox' ? value : null, top: scrollY }));
  form.requestSubmit();
};

form.addEventListener('change', ({ target }) => {
  const { preset, fromDate, toDate } = form.elements;
  // Days are those of a preset, or those that somebody chose.
  if (target === preset) fromDate.value = toDate.value = '';
  if (target === fromDate || target === toDate) preset.value = '';
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
  form
    .querySelector(`[name="${CSS.escape(place.name)}"]${ofValue}:not([type="hidden"])`)
    ?.focus({ preventScroll: true });
  scrollTo({ top: place.top, behavior: 'instant' });
}
