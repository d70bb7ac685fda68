-- The code of a sign-up changes when it is made anew, which would rewrite documents if there were some of it; there are none before it is an account.
alter table fiscal_document drop constraint fiscal_document_integrator_fkey;
alter table fiscal_document
  add constraint fiscal_document_integrator_fkey foreign key (integrator) references integrator (code);
