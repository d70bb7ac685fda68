-- The form in which a column is searched: foldForSearch (src/kernel/text/matching.ts) has the same of what is asked.
create or replace function fold_for_search(said text) returns text language sql immutable parallel safe as $$
  select regexp_replace(
    lower(regexp_replace(normalize(said, nfkd),
      ' \u0301|[''`‘’‛′\u02b9-\u02bf\u02c8\ua78c\u0300-\u036f\u064b-\u065f\u0670\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]', '', 'g')),
    '[ \t-\r]+', ' ', 'g')
$$;
