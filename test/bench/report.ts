import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** What a figure has to be. `met` says it of figures that no bound alone decides, such as "1.5 × or 20 ms". */
export type Target =
  | { readonly atLeast: number }
  | { readonly atMost: number }
  | { readonly words: string; readonly met: boolean };

export interface Figure {
  readonly what: string;
  readonly figure: number;
  /** Such as `ms` or `×`. */
  readonly unit: string;
  /** The least and the greatest of the rounds whose median the figure is. */
  readonly range?: readonly [number, number];
  readonly target: Target;
}

/** A cell of a table: numbers are printed to three significant digits. */
export type Cell = string | number | null;

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

interface Part {
  readonly title: string;
  readonly tables: Table[];
  readonly figures: (Figure & { readonly met: boolean })[];
  /** The load average of one minute when it began and when it ended. */
  readonly load: [number, number];
}

/**
 * What was measured: printed while it is, with a table of verdicts at the end, and kept as JSON for whoever compares
 * one run with another.
 */
export class Report {
  readonly #begunAt = new Date();
  readonly #parts: Part[] = [];

  /** Begins a part, under its title. */
  begin(title: string): void {
    this.#endPart();
    this.#parts.push({ title, tables: [], figures: [], load: [loadOf(), loadOf()] });
    process.stdout.write(`\n${title}\n`);
  }

  /** Tells what no target is set for. */
  table(columns: readonly string[], rows: readonly (readonly Cell[])[]): void {
    this.#part().tables.push({ columns, rows });
    process.stdout.write(print(columns, rows));
  }

  /** Tells a figure beside its target. */
  judge(figure: Figure): void {
    const met = isMet(figure);
    this.#part().figures.push({ ...figure, met });
    process.stdout.write(
      `  ${figure.what}: ${figureOf(figure)}, target ${targetOf(figure.target)}: ${met ? 'met' : 'MISSED'}\n`,
    );
  }

  /** Prints all verdicts and the machine, writes them to `file` where one is given; whether all targets were met. */
  end(file?: string): boolean {
    this.#endPart();
    const judged = this.#parts.flatMap(({ figures }) => figures);
    process.stdout.write(
      `\n${print(
        ['', 'seen', 'target', ''],
        judged.map((figure) => [figure.what, figureOf(figure), targetOf(figure.target), figure.met ? 'met' : 'MISSED']),
      )}\n${describeMachine(this.#parts)}\n`,
    );
    if (file) {
      const result = { at: this.#begunAt.toISOString(), machine: machineOf(), parts: this.#parts };
      writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
    }
    return judged.every(({ met }) => met);
  }

  #part(): Part {
    const part = this.#parts.at(-1);
    if (!part) throw new Error('A part has to begin first');
    return part;
  }

  #endPart(): void {
    const part = this.#parts.at(-1);
    if (part) part.load[1] = loadOf();
  }
}

function isMet({ figure, target }: Figure): boolean {
  if ('atLeast' in target) return figure >= target.atLeast;
  return 'atMost' in target ? figure <= target.atMost : target.met;
}

function targetOf(target: Target): string {
  if ('atLeast' in target) return `at least ${target.atLeast}`;
  return 'atMost' in target ? `at most ${target.atMost}` : target.words;
}

function figureOf({ figure, unit, range }: Figure): string {
  const spread = range ? ` (${digits(range[0])} to ${digits(range[1])})` : '';
  return `${digits(figure)} ${unit}${spread}`;
}

/** Three significant digits, as far as they are after the point; a whole number as it is. */
function digits(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** Columns as wide as what is in them; numbers to the right. */
function print(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const text = (cell: Cell | undefined) => (typeof cell === 'number' ? digits(cell) : (cell ?? ''));
  const widths = columns.map((column, at) => Math.max(column.length, ...rows.map((row) => text(row[at]).length)));
  const line = (cells: readonly (Cell | undefined)[], right: readonly boolean[]) =>
    `  ${widths
      .map((width, at) => (right[at] ? text(cells[at]).padStart(width) : text(cells[at]).padEnd(width)))
      .join('  ')
      .trimEnd()}\n`;
  const numeric = columns.map((_, at) => rows.some((row) => typeof row[at] === 'number'));
  return line(columns, numeric) + rows.map((row) => line(row, numeric)).join('');
}

function loadOf(): number {
  return Math.round(loadavg()[0]! * 100) / 100;
}

function machineOf() {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    rail: (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
      .version,
  };
}

function describeMachine(parts: readonly Part[]): string {
  const { cpu, cores, memoryGiB, system, node } = machineOf();
  const loads = parts.flatMap(({ load }) => load);
  return `  ${cores} × ${cpu}, ${memoryGiB} GiB, ${system}, Node ${node}, load ${Math.min(...loads)} to ${Math.max(...loads)}`;
}
