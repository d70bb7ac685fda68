import { describe, expect, it } from 'vitest';
import { drawNumber, isNumber } from '../../../src/collection/references/number.ts';

const numbers = Array.from({ length: 300 }, drawNumber);

describe('the number of a payment reference', () => {
  it('is 13 digits, and unlike the one before', () => {
    for (const number of numbers) expect(number).toMatch(/^[0-9]{13}$/);
    expect(numbers.every(isNumber)).toBe(true);
    expect(new Set(numbers).size).toBe(numbers.length);
    const steps = new Set(numbers.slice(1).map((number, index) => Number(number) - Number(numbers[index])));
    expect(steps.size).toBeGreaterThan(numbers.length - 10);
  });

  it('shows every single wrong digit', () => {
    const wrong = numbers.flatMap((number) =>
      Array.from(number).flatMap((right, at) =>
        Array.from('0123456789')
          .filter((digit) => digit !== right)
          .map((digit) => number.slice(0, at) + digit + number.slice(at + 1)),
      ),
    );
    expect(wrong).toHaveLength(numbers.length * 13 * 9);
    expect(wrong.filter(isNumber)).toEqual([]);
  });

  it('shows every swap of neighbours', () => {
    const swapped = numbers.flatMap((number) =>
      Array.from(number.slice(1), (next, at) => number.slice(0, at) + next + number[at]! + number.slice(at + 2)),
    );
    expect(swapped.length).toBe(numbers.length * 12);
    expect(swapped.filter((number) => isNumber(number) && !numbers.includes(number))).toEqual([]);
  });

  it('has neither more nor fewer digits, nor digits of other scripts, nor anything else', () => {
    const [number] = numbers as [string];
    const arabic = number.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x6_60 + Number(digit)));
    for (const wrong of [number.slice(1), `0${number}`, arabic, ` ${number}`, `${number}\n`, `-${number.slice(1)}`, ''])
      expect(isNumber(wrong), wrong).toBe(false);
  });
});
