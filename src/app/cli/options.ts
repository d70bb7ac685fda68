import { InvalidArgumentError, Option } from 'commander';

/** For a command that prints rows or an object: prints them as JSON instead. */
export const jsonOption = (): Option => new Option('--json', 'print one JSON value and nothing else');

/** Reads words between commas. */
export function parseList(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

/** Gathers the values of an option that may be given several times. */
export function addTo(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Reads a whole number of at least 1. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('must be a whole number of at least 1');
  return Number(text);
}

/** Reads a UTC day. */
export function parseDay(text: string): Date {
  const at = new Date(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('must be a day, YYYY-MM-DD');
  return at;
}
