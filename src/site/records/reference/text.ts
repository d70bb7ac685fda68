const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML that says the same. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Link to an operation or a message that a text names, `POST /v1/assessments`; null for anything else. */
export type Linked = (named: string) => string | null;

/** A text of the description as HTML: what stands in backticks is code, and leads to what it names. */
export function showText(text: string, linked: Linked): string {
  return text
    .split('`')
    .map((part, index) => {
      if (index % 2 === 0) return escapeHtml(part);
      const target = linked(part);
      const code = `<code>${escapeHtml(part)}</code>`;
      return target === null ? code : `<a href="${escapeHtml(target)}">${code}</a>`;
    })
    .join('');
}
