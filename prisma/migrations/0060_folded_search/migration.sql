-- People and services are found by any spelling of apostrophes, accents and blanks: what is searched is stored without them.
update citizen set search_text = regexp_replace(regexp_replace(normalize(search_text, nfkd),
  ' \u0301|[''`‘’‛′\u02b9-\u02bf\u02c8\ua78c\u0300-\u036f\u064b-\u065f\u0670\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]', '', 'g'),
  '[ \t-\r]+', ' ', 'g')
where search_text ~ '[^ -&(-_a-~]|  ';
update service set search_text = regexp_replace(regexp_replace(normalize(search_text, nfkd),
  ' \u0301|[''`‘’‛′\u02b9-\u02bf\u02c8\ua78c\u0300-\u036f\u064b-\u065f\u0670\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]', '', 'g'),
  '[ \t-\r]+', ' ', 'g')
where search_text ~ '[^ -&(-_a-~]|  ';
