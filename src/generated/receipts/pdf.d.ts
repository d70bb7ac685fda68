import type { Readable } from 'node:stream';

/** PDFKit, as far as receipts are drawn with it. */
export default class PDFDocument extends Readable {
  constructor(options: {
    size: 'A4';
    margin: number;
    font: null;
    lang: string;
    displayTitle: boolean;
    info: { Title: string; CreationDate: Date };
  });
  y: number;
  /** The font in use. */
  readonly _font: { readonly font: { hasGlyphForCodePoint(code: number): boolean } };
  registerFont(name: string, file: Buffer): this;
  font(name: string): this;
  fontSize(size: number): this;
  text(text: string, x?: number, y?: number, options?: { width?: number; align?: 'right'; link?: string }): this;
  heightOfString(text: string, options: { width: number }): number;
  addPage(): this;
  moveDown(lines: number): this;
  moveTo(x: number, y: number): this;
  lineTo(x: number, y: number): this;
  lineWidth(width: number): this;
  stroke(): this;
  rect(x: number, y: number, width: number, height: number): this;
  fill(color: string): this;
  end(): void;
}
