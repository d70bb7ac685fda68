-- How people pay who have a reference: at a bank, at an agent, or by a code on a phone.
alter type channel add value if not exists 'bank';
alter type channel add value if not exists 'agent';
alter type channel add value if not exists 'ussd';
alter table service_notice
  drop constraint service_notice_channels_check,
  add constraint service_notice_channels_check
    check (channels <@ array['mtn_momo', 'airtel_money', 'card', 'cash', 'bank', 'agent', 'ussd']);
