-- The values of many arrays as one: sorting such an array takes less than sorting a row for each value.
create aggregate oversight.concatenate(double precision[]) (sfunc = array_cat, stype = double precision[], parallel = safe);
