const TEXT: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (sign) => TEXT[sign]!);

interface Said {
  /** Beginning of its parts' identifiers: unlike those of any other picture of the page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/**
 * An SVG of ECharts as a page with a strict policy can hold it, and readers who do not see it can read it: attributes
 * instead of styles, no style sheet, no marks for scripts, and a title with a description.
 */
export function tidySvg(svg: string, { id, title, description }: Said): string {
  const parts = svg
    .replace(/<style\b[\s\S]*?<\/style>/g, '')
    .replace(/ (class|ecmeta_\w+|baseProfile|xmlns:xlink|xml:space)="[^"]*"/g, '')
    .replace(/ style="([^"]*)"/g, (_whole, styles: string) => attributesOf(styles))
    // Clips and gradients are known by their identifier in the whole page.
    .replace(/\bzr\d+-/g, `${id}-`)
    .replace(/\n+/g, '\n');
  const names = `role="img" aria-labelledby="${id}-title ${id}-description"`;
  const said = `<title id="${id}-title">${escapeText(title)}</title><desc id="${id}-description">${escapeText(description)}</desc>`;
  return parts.replace(/<svg ([^>]*)>/, (_whole, attributes: string) => `<svg ${names} ${attributes}>${said}`);
}

/** `font-size:12px;font-family:serif` as ` font-size="12px" font-family="serif"`. */
function attributesOf(styles: string): string {
  return styles
    .split(';')
    .map((style) => /^\s*([\w-]+)\s*:\s*(.+?)\s*$/.exec(style))
    .filter((style) => style !== null)
    .map(([, name, value]) => ` ${name}="${value}"`)
    .join('');
}
