// A form with a file says how much of it is on its way. What comes back is shown as the browser would have.
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  const shown = form.querySelector('[data-upload]');
  if (!shown || form.dataset.sent) return;
  event.preventDefault();
  const [bar, text] = shown.children;
  const say = (what) => {
    text.textContent = shown.dataset[what];
  };
  shown.hidden = false;
  say('sending');
  const request = new XMLHttpRequest();
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    bar.value = loaded / total;
  });
  request.upload.addEventListener('load', () => {
    bar.removeAttribute('value');
    say('reading');
  });
  request.addEventListener('load', () => {
    // Sent on to another page, or the same one with what is wrong in it.
    if (request.responseURL !== form.action) return location.assign(request.responseURL);
    const next = new DOMParser().parseFromString(request.responseText, 'text/html');
    document.title = next.title;
    const main = next.querySelector('main');
    for (const element of main.querySelectorAll('.scripted')) element.hidden = false;
    document.querySelector('main').replaceWith(main);
    (main.querySelector('[data-focus]') ?? main).focus();
  });
  // The same form may be sent again: nothing happens twice.
  request.addEventListener('error', () => {
    bar.value = 0;
    say('lost');
    delete form.dataset.sent;
    submitter?.removeAttribute('aria-disabled');
  });
  request.open('POST', form.action);
  request.setRequestHeader('accept', 'text/html');
  request.send(new FormData(form, submitter));
});
