// A click copies the reference before it, where the browser lets a page do so; also in what was loaded again.
document.addEventListener('click', ({ target }) => {
  const button = target.closest?.('button.copy');
  if (!button || !navigator.clipboard) return;
  const copy = async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    button.classList.add('copied');
    setTimeout(() => button.classList.remove('copied'), 2_000);
  };
  void copy();
});
