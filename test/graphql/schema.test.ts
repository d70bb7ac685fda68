import SchemaBuilder from '@pothos/core';
import {
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { getDatamodel } from '../../src/generated/pothos.ts';
import { printWholeSchema } from '../../src/graphql/printed.ts';
import { type Access, access, accessOf } from '../../src/graphql/plugins/access.ts';
import { schema } from '../../src/app/schema.ts';

describe('the schema', () => {
  it('is the committed one; npm run schema:print writes it', () => {
    expect(printWholeSchema(schema)).toBe(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
  });

  it('says of every mutation how a repetition is answered whose first try died before it could answer', () => {
    const silent = Object.values(schema.getMutationType()!.getFields()).filter(
      ({ extensions }) => !(extensions['pothosOptions'] as { answerAgain?: unknown }).answerAgain,
    );
    expect(silent.map(({ name }) => name).toSorted()).toEqual([
      'advanceClock', // lets time pass once more, which loses nothing
      'beginSingleSignOn', // begins a sign-in of its own
      'beginStaffLogIn', // begins a login of its own
      'completeSingleSignOn', // its answer of the provider works once
      'completeStaffLogIn', // its code works once
      'confirmC2bPayment', // keeps the same claim
      'consumeSignInLink', // its link works once
      'importAssessments', // the keys of its rows
      'issueAgencyToken', // takes no repetition: another assertion is signed
      'logOut', // whoever is out stays out
      'lookUpForBiller', // changes nothing
      'receiveBillerPayment', // the payment point's event is its key
      'receiveCallback', // the provider's event is its key
      'receiveSms', // stops what is stopped
      'receiveSmsReport', // books what became of a text, which stays
      'redeliverWebhooks', // sends anew what waits already
      'registerBusiness', // the registry knows its key
      'requestPasswordReset', // answers everyone alike
      'requestSignIn', // answers everyone alike
      'staffLogIn', // opens a session of its own
      'staffLogOut', // whoever is out stays out
      'stopPayerMessages', // stops what is stopped
      'uploadBankStatements', // the hash of its file
      'validateC2bPayment', // changes nothing
      'verifyReceipt', // changes nothing
    ]);
  });

  it('does not build while a mutation that staff may use does not declare how many people it takes', () => {
    const build = (declared: Access) => {
      const prisma = { client: (): never => expect.fail('reads nothing'), dmmf: getDatamodel() };
      const builder = new SchemaBuilder({ plugins: [access], prisma });
      builder.queryType({ fields: (t) => ({ rail: t.boolean({ resolve: () => true }) }) });
      const change = { access: declared, resolve: () => true };
      builder.mutationType({ fields: (t) => ({ changeIt: t.boolean(change) }) });
      return () => builder.toSchema();
    };
    for (const need of ['operations.write', 'staff', 'assessments.cancel', 'references.issue'] as const) {
      expect(build({ need })).toThrow(/^changeIt .* does not declare how many people it takes/);
      expect(build({ need, people: 'two' })).not.toThrow();
    }
    for (const need of ['account.manage', 'own.login', 'payer'] as const) expect(build({ need })).not.toThrow();
  });

  it('describes every type, field, argument, input and value', () => {
    const bare: string[] = [];
    const note = (name: string, described: { readonly description?: string | null | undefined }) =>
      void (described.description || bare.push(name));
    for (const type of Object.values(schema.getTypeMap())) {
      if (isIntrospectionType(type) || (isScalarType(type) && isSpecifiedScalarType(type))) continue;
      note(type.name, type);
      if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
      if (isInputObjectType(type))
        for (const field of Object.values(type.getFields())) note(`${type.name}.${field.name}`, field);
      if (isObjectType(type)) {
        for (const field of Object.values(type.getFields())) {
          note(`${type.name}.${field.name}`, field);
          for (const argument of field.args) note(`${type.name}.${field.name}(${argument.name})`, argument);
        }
      }
    }
    expect(bare).toEqual([]);
  });

  it('needs a credential for everything but the catalogue, callbacks, sign-up and sign-in', () => {
    const open = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => !accessOf(field).need)
        .map(({ name }) => name),
    );
    expect(open.toSorted()).toEqual(
      'acceptInvitation agencies agency anomalyRules beginSingleSignOn beginStaffLogIn catalogueTerms changelog completePasswordReset completeSingleSignOn completeStaffLogIn confirmC2bPayment consumeSignInLink errorCodes eventTypes holidays issueAgencyToken logOut lookUpForBiller node nodes notices passkeyRequest payerMessageStop paymentReference quote receiptKeys receiveBillerPayment receiveCallback receiveSms receiveSmsReport referenceNotice requestPasswordReset requestSignIn resendOtp service serviceHealth services session signUp signingKeys staffLogIn staffLogOut stopPayerMessages terms validateC2bPayment verifyReceipt verifySignUp verifySignUpInBrowser whoami'.split(
        ' ',
      ),
    );
  });
});
