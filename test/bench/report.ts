import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';

/**
 * The target of a figure. `met` gives the verdict for targets that one bound cannot express, such as "1.5 × or 20 ms".
 * A figure without a target is only shown.
 */
export type Target =
  | { readonly none: true }
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
  readonly at: string;
  readonly machine: Machine;
  readonly tables: Table[];
  readonly figures: (Figure & { readonly met: boolean })[];
  /** The load average of one minute when it began and when it ended. */
  readonly load: [number, number];
}

/** The results: printed during the run, with a table of verdicts at the end, and kept as JSON to compare runs. */
export class Report {
  readonly #parts: Part[] = [];

  /** Begins a part, under its title. */
  begin(title: string): void {
    this.#endPart();
    const at = new Date().toISOString();
    this.#parts.push({ title, at, machine: machineOf(), tables: [], figures: [], load: [loadOf(), loadOf()] });
    process.stdout.write(`\n${title}\n`);
  }

  /** Tells what no target is set for. */
  table(columns: readonly string[], rows: readonly (readonly Cell[])[]): void {
    this.#part().tables.push({ columns, rows });
    process.stdout.write(print(columns, rows));
  }

  /** Tells a figure beside its target. */
  judge(figure: Figure): void {
    const judged = { ...figure, met: isMet(figure) };
    this.#part().figures.push(judged);
    const [what, seen, target, verdict] = verdictOf(judged);
    process.stdout.write(`  ${what}: ${seen}, target ${target}${verdict && `: ${verdict}`}\n`);
  }

  /** Prints all verdicts and the machine; whether all targets were met. */
  end(): boolean {
    this.#endPart();
    const judged = this.#parts.flatMap(({ figures }) => figures);
    process.stdout.write(`\n${print(['', 'seen', 'target', ''], judged.map(verdictOf))}\n`);
    for (const part of this.#parts) process.stdout.write(`  ${part.title}: ${describeMachine(part)}\n`);
    return judged.every(({ met }) => met);
  }

  /** Keeps what was measured in a file of JSON, in which parts that were not measured this time stay; all its parts. */
  keep(file: string): readonly Part[] {
    const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { parts: Part[] }).parts : [];
    const others = before.filter(({ title }) => !this.#parts.some((part) => part.title === title));
    const parts = [...others, ...this.#parts].toSorted((one, other) => (one.title < other.title ? -1 : 1));
    writeFileSync(file, `{"parts": [\n${parts.map((part) => JSON.stringify(part)).join(',\n')}\n]}\n`);
    return parts;
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

/** The verdicts of each part as Markdown: how many targets were met, and which were missed. */
export function writeMarkdown(parts: readonly Part[]): string {
  const row = ({ title, at, figures }: Part) => {
    const judged = figures.filter(({ target }) => !('none' in target));
    const missed = judged.filter(({ met }) => !met);
    const named = missed.map((figure) => `${figure.what}: ${figureOf(figure)}, target ${targetOf(figure.target)}`);
    return `| ${title} | ${at.slice(0, 10)} | ${judged.length - missed.length} of ${judged.length} | ${named.join('.<br>')} |\n`;
  };
  const machines = [...new Set(parts.map((part) => describeHardware(part.machine)))];
  return `Measured on ${machines.join('; ')}.\n\n| part | date | targets met | targets missed |\n|---|---|---|---|\n${parts.map(row).join('')}`;
}

function verdictOf(figure: Figure & { readonly met: boolean }): string[] {
  return [figure.what, figureOf(figure), targetOf(figure.target), verdictOn(figure)];
}

function verdictOn({ target, met }: Figure & { readonly met: boolean }): string {
  if ('none' in target) return '';
  return met ? 'met' : 'MISSED';
}

function isMet({ figure, target }: Figure): boolean {
  if ('atLeast' in target) return figure >= target.atLeast;
  if ('atMost' in target) return figure <= target.atMost;
  return 'none' in target || target.met;
}

function targetOf(target: Target): string {
  if ('atLeast' in target) return `at least ${target.atLeast}`;
  if ('atMost' in target) return `at most ${target.atMost}`;
  return 'none' in target ? 'none' : target.words;
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

interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
}

function machineOf(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
  };
}

function describeMachine({ machine, load }: Part): string {
  return `${describeHardware(machine)}, load ${Math.min(...load)} to ${Math.max(...load)}`;
}

function describeHardware({ cpu, cores, memoryGiB, system, node }: Machine): string {
  return `${cores} × ${cpu}, ${memoryGiB} GiB, ${system}, Node ${node}`;
}
