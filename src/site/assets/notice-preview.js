// A notice is shown as a banner while it is written.
for (const preview of document.querySelectorAll('[data-preview]')) {
  const form = preview.closest('form');
  form.addEventListener('input', ({ target }) => {
    const shown = preview.querySelector(`[data-shows="${target.name}"]`);
    if (shown) shown.textContent = target.value;
    if (target.name === 'severity')
      preview.querySelector('.notice').classList.toggle('bad', target.value === 'critical');
  });
}
