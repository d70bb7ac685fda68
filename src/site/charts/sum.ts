/** A figure that a page begins with, as it is written: what it is of, and whether it is bad news. */
export interface Sum {
  readonly value: string;
  readonly about: string;
  readonly bad?: boolean;
}
