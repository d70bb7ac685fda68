import { type Sql, joined, raw, sql } from '../../platform/database/sql.ts';

/**
 * Common table expressions from `cells` to `percentiles`: of each group `g` the number `n` of its values, and in
 * `values_at` those at the given parts, interpolated as `percentile_cont` does and equal to it to the last digit.
 *
 * A cell has the number `g` of its group, sorted `seconds`, their number `n`, at least one, and what is `known` of them:
 * their own values at the parts. These are the answer for a group of one cell, whose seconds nobody reads. Of others,
 * most values are never read: some of all its cells say where a percentile lies about, a binary search in each cell
 * counts how many values are below, and only the few between are sorted. Where those turn out not to hold it, all are.
 */
export function findPercentiles(parts: readonly number[]): Sql {
  // Values alone are sorted, without the rows that they are of (`offset 0`).
  return sql`
    cells_counted as materialized (select g, n, known, seconds, count(*) over (partition by g) as cells from cells),
    numbered as materialized (
      select g, n, seconds, cells, row_number() over gs as cell, sum(n) over (partition by g)::float8 as total,
        sum(n) over gs::int - n as ahead
      -- With a copy of the values, which is read from memory again and again.
      from (select g, n, cells, seconds[1:] as seconds from cells_counted where cells > 1 offset 0) c
      window gs as (partition by g rows unbounded preceding)
    ), sampled as materialized (
      -- Every so many of a group's values, counted through its cells: about as many as lie between what they say.
      select g, total, cells::float8 as cells, cardinality(seconds)::float8 as size, ${sorted(sql`seconds`)} as sample
      from (${gather(
        ['g'],
        ['total', 'cells'],
        sql`array(select seconds[at] from generate_series(step - ahead % step, n, step) at)`,
        sql`(select *, greatest(1, floor(sqrt(total / (${3 * parts.length}::float8 * sqrt(cells)))))::int as step from numbered) c`,
      )}) s
    ), guessed as materialized (
      select g, total, p, place, floor(place)::int as low, ceil(place)::int as high,
        sample[floor(p * size - off)::int] as over, sample[ceil(p * size + off)::int + 1] as upto
      from (
        select s.*, p, p * (total - 1) as place, ceil(1.5 * sqrt(least(size, cells))) as off
        from sampled s cross join unnest(${parts}::float8[]) p
      ) s
    ), cut as materialized (
      -- The values of each cell that lie above one and up to another.
      select t.g, c.cell, t.total, p, place, low, high, below, until, seconds[below + 1 : until] as near
      from numbered c join guessed t on t.g = c.g cross join lateral (
        select case when over is null then 0 else width_bucket(over, seconds) end as below,
          case when upto is null then n else width_bucket(upto, seconds) end as until
      ) b
    ), checked as materialized (
      select *, sum(below) over gp::int as before, sum(below) over gp <= low and sum(until) over gp > high as holds
      from cut window gp as (partition by g, p)
    ), found as materialized (
      select g, p, total::int as n, place, before, ${sorted(sql`seconds`)} as near
      from (${gather(['g', 'p'], ['total', 'place', 'before'], sql`near`, sql`checked where holds`)}) s
      union all
      select g, p, total::int, place, 0, array(
        select s from numbered cross join unnest(seconds) s where numbered.g = missed.g order by s)
      from (select distinct g, p, total, place from checked where not holds) missed
    ), percentiles as (
      select g, n, known as values_at from cells_counted where cells = 1
      union all
      select g, n, array_agg(near[low] + (place - floor(place)) * (near[high] - near[low]) order by p)
      from (
        select *, floor(place)::int - before + 1 as low, ceil(place)::int - before + 1 as high from found offset 0
      ) f group by g, n
    )`;
}

/** So many arrays are put together at a time: each that is added copies those before it. */
const GATHERED = 64;

/**
 * The arrays of the cells of a group as one, `seconds`, in any order; with columns that are the same for all of the
 * group, or the least of it.
 */
function gather(group: readonly string[], least: readonly string[], array: Sql, cells: Sql): Sql {
  const keys = joined(group.map((name) => raw(name)));
  const columns = joined([keys, ...least.map((name) => sql`min(${raw(name)}) as ${raw(name)}`)]);
  return sql`
    select ${columns}, oversight.concatenate(seconds) as seconds
    from (
      select ${columns}, oversight.concatenate(${array}) as seconds from ${cells}
      group by ${keys}, cell / ${raw(String(GATHERED))}
    ) some_cells group by ${keys} offset 0`;
}

/** Values of an array in their order. Many small sorts of values alone take less than one of rows. */
const sorted = (values: Sql) => sql`array(select s from unnest(${values}) s order by s)`;
