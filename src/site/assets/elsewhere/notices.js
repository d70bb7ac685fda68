// Shows the notices in effect above a page that is not made by the server, such as the API reference.
const list = new URL('../v1/notices?in_effect=true&limit=5', document.currentScript.src);

function show({ title, body, severity }) {
  const banner = document.createElement('aside');
  banner.setAttribute('aria-label', 'Service notice');
  banner.style.cssText = `padding: 12px 20px; font: 16px/1.5 system-ui, sans-serif; white-space: pre-line;
    color: #1b1f24; background: #f4f6f8; border-left: 4px solid ${severity === 'critical' ? '#a61b1b' : '#0b5cad'}`;
  const heading = document.createElement('strong');
  heading.textContent = title;
  banner.append(heading, `\n${body}`);
  return banner;
}

const response = fetch(list).then((answer) => (answer.ok ? answer.json() : { data: [] }));
// Where the list cannot be had, the page stands without it.
response.then(({ data }) => document.body.prepend(...data.map(show))).catch(() => undefined);
