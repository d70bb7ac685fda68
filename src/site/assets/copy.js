// Commands of a guide have a button that copies them.
for (const article of document.querySelectorAll('[data-copy-code]')) {
  for (const [index, code] of article.querySelectorAll('pre > code:not(.snippet code)').entries()) {
    const button = document.createElement('button');
    code.id ||= `code-${index}`;
    Object.assign(button, { type: 'button', className: 'link copies', textContent: article.dataset.copyCode });
    Object.assign(button.dataset, { copy: code.id, copied: article.dataset.copied });
    code.parentElement.before(button);
  }
}

// Buttons that copy what is shown once, where the browser lets a page do so.
for (const button of document.querySelectorAll('[data-copy]')) {
  const { textContent } = button;
  if (!navigator.clipboard) button.remove();
  const copy = async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = textContent;
    }, 3_000);
  };
  button.addEventListener('click', () => void copy());
}

// A page that shows a secret is the answer to a form: loaded again, it is the page of that form, without the secret.
if (document.querySelector('.secret')) history.replaceState(null, '', location.href);
