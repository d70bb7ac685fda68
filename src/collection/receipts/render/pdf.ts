import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { modulesOf } from './qr.ts';
import type { Row, Sheet } from './sheet.ts';

const MM = 72 / 25.4;
const MARGIN = 25 * MM;
const WIDTH = 210 * MM - 2 * MARGIN;
const BOTTOM = 297 * MM - MARGIN;
const QR_SIZE = 60 * MM;

/** A page of A4, and further ones for what finds no room. What its font has no letter for is written `?`. */
export async function writePdf(sheet: Sheet): Promise<Buffer> {
  // Loaded for the first one: most processes write none.
  const { default: PDFDocument } = await import('../../../generated/receipts/pdf.js');
  const { language, title, name, at, notices, facts, services, shares, total, check } = sheet;
  const page = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    font: null,
    lang: language,
    displayTitle: true,
    info: { Title: `${title} ${name}`, CreationDate: at },
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
  const pair = (row: Row) => {
    const [label, value] = row;
    const height = Math.max(...row.map((text) => page.heightOfString(text, { width: WIDTH / 2 })));
    if (page.y + height > BOTTOM) page.addPage();
    const top = page.y;
    write(label, MARGIN, top, { width: WIDTH / 2 });
    write(value, MARGIN + WIDTH / 2, top, { width: WIDTH / 2, align: 'right' });
    page.y = top + height;
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
  if (check) {
    drawQr(page, check.url, MARGIN, page.y);
    page.y += QR_SIZE + 2 * MM;
    pair(check.code);
    write(check.said, MARGIN, page.y, { width: WIDTH, link: check.url });
  }
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
