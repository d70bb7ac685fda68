// The values that templates are given, for the types of their parts: `<% /*: { of: Frame; label: string } */ %>`.
import type { Charts } from '../charts/place.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { Frame } from './frame.ts';
import type { Mistake } from './mistakes.ts';

export type { Drawn } from '../charts/chart.ts';
export type { Decal } from '../charts/look.ts';
export type { DaySpan as Span } from '../figures/days.ts';
export type { Listed } from '../records/lists.ts';
export type { Frame, Mistake };

/** The template of what was done by a form: what was answered, too. */
export interface Done<Data, Path> extends Frame {
  readonly data: Data;
  /** Values of the address for the names of its pattern. */
  readonly path: Path;
}

/** The template of a page that asks something. */
export interface Page<Data, Path> extends Done<Data, Path> {
  readonly charts: Charts;
  /** Places a chart; it is written unescaped. */
  readonly chart: Charts['place'];
  /** The figures that a page begins with, which its mail has too; written unescaped. */
  readonly sums: Charts['sum'];
}

/** A layout: what it stands around, and what the page says of itself. */
export interface Framed extends Frame {
  readonly body: string;
  readonly charts?: Charts;
  /** Scripts that the page needs, by their names. */
  readonly scripts?: readonly string[];
  /** After how many seconds a browser without scripts asks again. */
  readonly refresh?: number | null;
  /** The links next to the page: the other pages of its area. */
  readonly sidebar?: string | null;
  readonly wide?: boolean;
}

/** The template of an arrival: why it was refused. */
export interface Refused extends Frame {
  readonly refusal: Refusal;
  readonly reasons: readonly Mistake[];
  readonly requestId: string;
}

/** Values for a template beyond those of any page, from code. */
export type Own<Handed extends Frame> = Omit<Handed, keyof Frame>;

/** Choice in a field of a form. */
export interface Option {
  readonly value: string | number;
  readonly text: string;
  readonly about?: string | undefined;
}

/** The head of a column of a list: a text, or its parts. */
export type Head = string | HeadParts;

interface HeadParts {
  readonly text?: string;
  /** Its text, if it has numbers, which stand below one another. */
  readonly amount?: string;
  /** Its text, if it names the row. */
  readonly key?: string;
  /** True if it has texts of any length. */
  readonly long?: boolean;
  /** Beginning of the list's orders by it: `amount` of `amount_desc` and `amount_asc`. */
  readonly sort?: string;
  /** True if its content says enough. */
  readonly unseen?: boolean;
}

/** Content of a cell of a list, or of a fact: a text, or its parts. */
export type Cell = string | null | CellParts;

export interface CellParts {
  readonly text?: string | null;
  /** Its language, where it is not that of the page. */
  readonly lang?: string | null;
  readonly link?: string | null;
  /** A moment, by the clock of a place. */
  readonly at?: string | null;
  readonly zone?: string;
  /** A value with the family of messages that name it. */
  readonly tag?: string | null;
  readonly as?: string;
  /** Anything else; values in it are escaped already. */
  readonly html?: string;
  /** Text that a click copies. */
  readonly copy?: string | null;
  /** Less important text that follows. */
  readonly note?: string | null;
  /** True if that stands on a line of its own. */
  readonly below?: boolean;
  /** What it is of the largest of its column, as a bar behind it. */
  readonly part?: { readonly value: number | null | undefined; readonly most: number };
}

/** Attributes of HTML, or members of a query. */
export type Attributes = Readonly<Record<string, string | number>>;

/** Type without nulls that a page does not meet: the keys of figures that it does not ask for. */
export type Known<Value> = Value extends readonly (infer One)[]
  ? readonly Known<One>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Known<NonNullable<Value[Name]>> }
    : Value;
