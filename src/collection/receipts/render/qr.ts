import { encode, renderSVG } from 'uqr';

/** Four modules around a code, as readers need (ISO/IEC 18004), and the size of code that is the easiest to read. */
const OPTIONS = { ecc: 'L', border: 4 } as const;

/** The modules of a code, row by row; true is dark. */
export function modulesOf(text: string): readonly (readonly boolean[])[] {
  return encode(text, OPTIONS).data;
}

export function writeSvg(text: string): string {
  return renderSVG(text, OPTIONS);
}
