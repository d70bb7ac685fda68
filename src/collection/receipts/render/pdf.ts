import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { modulesOf } from './qr.ts';
import { type Printed, type Row, writeSheet } from './sheet.ts';

const MM = 72 / 25.4;
const MARGIN = 25 * MM;
const WIDTH = 210 * MM - 2 * MARGIN;
const QR_SIZE = 60 * MM;

/** A receipt as a page of A4. What its font has no letter for is written `?`. */
export async function writePdf(printed: Printed): Promise<Buffer> {
  // Loaded for the first one: most processes write none.
  const { default: PDFDocument } = await import('../../../generated/receipts/pdf.js');
  const { title, notices, facts, services, shares, total, code, check } = writeSheet(printed);
  const { name, paidAt } = printed.contents;
  const page = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    font: null,
    lang: printed.language,
    displayTitle: true,
    info: { Title: `${title} ${name}`, CreationDate: paidAt },
  });
  page.registerFont('letters', readFileSync(new URL('../../../generated/receipts/letters.ttf', import.meta.url)));
  page.font('letters').fontSize(20);
  const { font } = page['_font'];
  const write: typeof page.text = (text, ...where) =>
    page.text(
      text
        .normalize('NFC')
        .replaceAll(/\P{C}/gu, (letter) => (font.hasGlyphForCodePoint(letter.codePointAt(0)!) ? letter : '?')),
      ...where,
    );
  write(title);
  page.fontSize(11);
  for (const notice of notices) write(notice);
  const pair = ([label, value]: Row) => {
    const top = page.y;
    write(label, MARGIN, top, { width: WIDTH / 2 });
    write(value, MARGIN + WIDTH / 2, top, { width: WIDTH / 2, align: 'right' });
  };
  const rule = () => {
    page.moveDown(0.5);
    page
      .moveTo(MARGIN, page.y)
      .lineTo(MARGIN + WIDTH, page.y)
      .lineWidth(0.5)
      .stroke();
    page.moveDown(0.5);
  };
  rule();
  facts.forEach(pair);
  rule();
  for (const service of services) write(service, MARGIN, page.y, { width: WIDTH });
  rule();
  for (const { row, proof } of shares) {
    pair(row);
    page.fontSize(8);
    write(proof, MARGIN, page.y, { width: WIDTH });
    page.fontSize(11);
  }
  pair(total);
  rule();
  drawQr(page, printed.url, MARGIN, page.y);
  page.y += QR_SIZE + 2 * MM;
  pair(code);
  write(check, MARGIN, page.y, { width: WIDTH, link: printed.url });
  page.end();
  return buffer(page);
}

interface Canvas {
  rect(x: number, y: number, width: number, height: number): Canvas;
  fill(color: string): Canvas;
}

function drawQr(page: Canvas, text: string, left: number, top: number): void {
  const rows = modulesOf(text);
  const size = QR_SIZE / rows.length;
  for (const [y, row] of rows.entries())
    for (const [x, dark] of row.entries()) if (dark) page.rect(left + x * size, top + y * size, size, size);
  page.fill('black');
}
