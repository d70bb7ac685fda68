// Passkeys: a button asks the browser for one, and sends its form with what the browser answers. Without a script, or where
// the browser has none, the button is not there, and a code does as well.
const askFor = {
  create: async (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  get: async (options) =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
};

for (const button of document.querySelectorAll('[data-passkey]')) {
  const { form } = button;
  const { passkey, options, into } = button.dataset;
  const failed = form.querySelector('[data-passkey-failed]');
  if (!globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) button.remove();
  const ask = async () => {
    // What creates one needs its name first; what only asks for one needs no code.
    if (passkey === 'create' && !form.reportValidity()) return;
    failed.hidden = true;
    try {
      const credential = await askFor[passkey](JSON.parse(options));
      form.elements[into].value = JSON.stringify(credential.toJSON());
      form.requestSubmit(button);
    } catch {
      // Whoever declines, waits too long or has none may try again, or enter a code.
      failed.hidden = false;
    }
  };
  button.addEventListener('click', (event) => {
    event.preventDefault();
    void ask();
  });
}
