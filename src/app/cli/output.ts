import { once } from 'node:events';

export interface OutputOptions {
  /** True prints one JSON value and nothing else. */
  readonly json?: boolean | undefined;
}

/** Prints an object or rows: for people as lines of name and value, or as JSON. */
export function print(value: object | readonly object[], { json }: OutputOptions): void {
  if (json) return void process.stdout.write(`${JSON.stringify(value)}\n`);
  for (const row of [value].flat()) {
    const lines = Object.entries(row).map(([name, one]) => `${name.padEnd(14)} ${String(one)}\n`);
    process.stdout.write(`${lines.join('')}\n`);
  }
}

/** Writes a piece of a long output, and waits where its reader is slower. */
export async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
