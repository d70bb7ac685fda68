import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import subsetFont from 'subset-font';

const FOLDER = new URL('../../generated/receipts/', import.meta.url);

/** Characters that names are written with in any script, as far as the font has them. */
const LETTERS = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter((character) =>
  /[ -~\p{L}\p{M}\p{Nd}\p{P}\p{Zs}]/u.test(character),
);

const read = (url: string) => readFileSync(new URL(url));

/**
 * Files that receipts are drawn with, by name: PDFKit as one file, a font with the letters that receipts have, and
 * their licenses. Installed as they are, they would be thirty times as large.
 */
export async function bundleReceipts(): Promise<ReadonlyMap<string, Buffer>> {
  const pdfkit = import.meta.resolve('pdfkit');
  const making = await rolldown({ input: fileURLToPath(pdfkit), platform: 'node' });
  try {
    const { output } = await making.generate({ format: 'es', minify: true, codeSplitting: false });
    const font = await subsetFont(read(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')), LETTERS.join(''), {
      targetFormat: 'truetype',
    });
    return new Map([
      ['pdf.js', Buffer.from(output[0].code)],
      ['letters.ttf', font],
      ['pdfkit.LICENSE', read(new URL('../LICENSE', pdfkit).href)],
      ['dejavu-fonts-ttf.LICENSE', read(import.meta.resolve('dejavu-fonts-ttf/LICENSE'))],
    ]);
  } finally {
    await making.close();
  }
}

if (import.meta.main)
  for (const [file, content] of await bundleReceipts()) writeFileSync(new URL(file, FOLDER), content);
