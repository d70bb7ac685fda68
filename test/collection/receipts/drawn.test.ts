import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, inflateSync } from 'node:zlib';
import jsqr from 'jsqr';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleReceipts } from '../../../src/app/development/bundle-receipts.ts';
import { modulesOf, writeSvg } from '../../../src/collection/receipts/render/qr.ts';
import { writePdf } from '../../../src/collection/receipts/render/pdf.ts';
import { type Printed, writeSheet } from '../../../src/collection/receipts/render/sheet.ts';
import { writeText } from '../../../src/collection/receipts/render/text.ts';
import { LANGUAGES, type Language } from '../../../src/graphql/input/languages.ts';
import { Decimal } from '../../../src/kernel/money.ts';
import { initialsOf } from '../../../src/kernel/text/names.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-receipt-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fragment = `kPrK_qmx.${'k'.repeat(86)}.`;
const url = `https://revenue-rail.example.go.ug/verify#${fragment}`.padEnd(300, 'x');

const printed = (language: Language, more: Partial<Printed> = {}): Printed => ({
  contents: {
    name: 'RCP-2026-11-000123',
    assessment: 'ASMT-2026-11-000097',
    kind: 'duplicate',
    paidAt: new Date('2026-11-21T09:25:00Z'),
    utcOffset: 180,
    channel: 'mtn_momo',
    currency: 'UGX',
    payerInitials: 'ŊD',
    agencies: [
      { mda: 'URA', amount: new Decimal(450_000), event: 'PEV-2026-11-000245' },
      { mda: 'A-LONG-CODE-OF-SOME-AGENCY', amount: new Decimal(135_000), event: 'PEV-2026-11-000246' },
    ],
    otherAgencies: { count: 3, amount: new Decimal(15_000) },
    services: ['Okuwandiisa kkampuni eŋŋanda', 'Taxe à l’œuvre'],
    otherServices: 2,
  },
  status: 'Void',
  replacedBy: null,
  copies: 2,
  left: new Decimal(600_000),
  code: '7M3QX-0ZK9T',
  url,
  shares: new Map([['PEV-2026-11-000245', { agency: 'Uganda Revenue Authority', sequence: 77 }]]),
  language,
  ...more,
});

describe('a receipt as text', () => {
  it('stands in 42 columns, with what a reader has to know first', () => {
    const lines = writeText(writeSheet(printed('en'))).split('\n');
    expect(lines.slice(0, lines.indexOf(url.slice(0, 42)))).toEqual([
      '                 Receipt',
      '   NOT VALID: this payment was reversed',
      '                  COPY 2',
      'Paid a second time: the agencies return it',
      '------------------------------------------',
      'Number                  RCP-2026-11-000123',
      'Paid at         21 Nov 2026, 12:25 (UTC+3)',
      'Assessment             ASMT-2026-11-000097',
      'Channel                   MTN Mobile Money',
      'Payer                                   ŊD',
      '------------------------------------------',
      'Okuwandiisa kkampuni eŋŋanda',
      'Taxe à l’œuvre',
      '2 more',
      '------------------------------------------',
      'Uganda Revenue Authority       UGX 450,000',
      '  PEV-2026-11-000245, no. 77',
      'A-LONG-CODE-OF-SOME-AGENCY     UGX 135,000',
      '  PEV-2026-11-000246',
      '3 more                          UGX 15,000',
      'Total                          UGX 600,000',
      '------------------------------------------',
      'Code                           7M3QX-0ZK9T',
      'Check it at',
      'https://revenue-rail.example.go.ug/verify',
    ]);
  });

  it.each(Object.keys(LANGUAGES) as Language[])('fits in every language: %s', (language) => {
    const lines = writeText(writeSheet(printed(language))).split('\n');
    expect(lines.filter((line) => Array.from(line).length > 42)).toEqual([]);
    expect(lines.join('').replaceAll(' ', '')).toContain(url);
  });
});

const hasReader = spawnSync('pdftotext', ['-v']).error === undefined;

describe.skipIf(!hasReader)(
  `a receipt as PDF${hasReader ? '' : ' (no pdftotext here: Debian’s poppler-utils)'}`,
  () => {
    it.each(Object.keys(LANGUAGES) as Language[])('has every letter, read back: %s', async (language) => {
      const file = join(folder, `${language}.pdf`);
      writeFileSync(file, await writePdf(writeSheet(printed(language))));
      const { stdout } = spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
      const words = (text: string) => text.split(/\s+/).filter(Boolean);
      const read = new Set(words(stdout));
      // The address is in the QR code alone.
      const said = words(writeText(writeSheet(printed(language, { url: 'https://rail.example.org/verify#' })))).filter(
        (word) => !/^-+$/.test(word),
      );
      expect(said.filter((word) => !read.has(word) && !word.startsWith('https:'))).toEqual([]);
      expect(stdout).toContain('eŋŋanda');
    });
  },
);

describe('the letters of a PDF', () => {
  /** The streams of a PDF that are compressed, as text. */
  const readStreams = (pdf: Buffer): string[] =>
    Array.from(pdf.toString('latin1').matchAll(/stream\r?\n(?=x)/g), ({ index, 0: start }) =>
      inflateSync(pdf.subarray(index + start.length), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1'),
    );

  /** The letters of a name that a receipt is drawn without, where it is the name of a service and its initials the payer's. */
  async function findUndrawn(name: string): Promise<string> {
    const contents = { ...printed('en').contents, payerInitials: initialsOf(name), services: [name] };
    const streams = readStreams(await writePdf(writeSheet(printed('en', { contents }))));
    const glyphs = streams
      .filter((stream) => /\bBT\b/.test(stream))
      .flatMap((stream) => Array.from(stream.matchAll(/<([\da-f]+)>/gi), ([, hex]) => hex!.match(/.{4}/g)!))
      .flat();
    expect(glyphs.length).toBeGreaterThan(100);
    // The box of a letter that the font lacks.
    expect(glyphs).not.toContain('0000');
    const drawn = streams.filter((stream) => stream.includes('begincmap')).join('');
    const isDrawn = (letter: string) => drawn.includes(letter.codePointAt(0)!.toString(16).padStart(4, '0'));
    expect(isDrawn('?')).toBe(!Array.from(name.normalize('NFC')).every(isDrawn));
    return Array.from(name.normalize('NFC'))
      .filter((letter) => !isDrawn(letter))
      .join('');
  }

  it.each([
    ['Yoruba', 'Ọláolúwa Ẹkún Ṣadé Ẹ̀bùn'],
    ['Igbo', 'Ịfeọma Ụchenna Ṅnamdi Ọnyịnye'],
    ['Vietnamese', 'Đặng Ẩn Ỹ Ứng'],
    ['Hausa and Ewe', 'Ɓala Ɗanladi Ƙasim Ɔfori'],
    ['Greek', 'Ωμέγα Ύψιλον Σωκράτης Άννα'],
    ['Cyrillic', 'Юрий Щукин Їжак Өмүр'],
    ['Arabic', 'أحمد علي يوسف پرویز'],
    ['Armenian and Hebrew', 'Արամ שלום'],
    ['Tifinagh and N’Ko', 'ⴰⵎⴰⵣⵉⵖ ߒߞߏ'],
    ['decomposed', 'O\u0323la E\u0323ku Zoe\u0301 N\u0307na'],
  ])('are drawn: %s', async (_script, name) => expect(await findUndrawn(name)).toBe(''));

  it('are written ? where the font lacks them', async () => {
    expect(await findUndrawn('財務 नम ሀይሌ Jo')).toBe('財務नमሀይሌ');
  });
});

describe('the QR code', () => {
  it('is read back from a picture of 80 mm at 203 dpi', () => {
    const rows = modulesOf(url);
    const side = Math.floor((80 / 25.4) * 203);
    const scale = Math.floor(side / rows.length);
    const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
    for (let y = 0; y < rows.length * scale; y++)
      for (let x = 0; x < rows.length * scale; x++)
        if (rows[Math.floor(y / scale)]![Math.floor(x / scale)])
          pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
    expect(jsqr.default(pixels, side, side)?.data).toBe(url);
  });

  it('is drawn module by module', () => {
    expect(writeSvg(url)).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  });
});

it('what receipts are drawn with is in the repository as it is bundled', async () => {
  for (const [file, content] of await bundleReceipts()) {
    const kept = readFileSync(new URL(`../../../src/generated/receipts/${file}`, import.meta.url));
    expect(kept.equals(content), `npm run receipts:bundle: ${file}`).toBe(true);
  }
});
