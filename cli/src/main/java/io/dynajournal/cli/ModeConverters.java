package io.dynajournal.cli;

import io.dynajournal.cli.cost.Prices;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How capacity and storage are paid, as options spell it. */
final class ModeConverters {

    private ModeConverters() {}

    static final class BillingMode implements ITypeConverter<Prices.Billing> {
        @Override
        public Prices.Billing convert(String value) {
            return switch (value) {
                case "on-demand" -> Prices.Billing.ON_DEMAND;
                case "provisioned" -> Prices.Billing.PROVISIONED;
                default -> throw new TypeConversionException("requires on-demand or provisioned, not " + value);
            };
        }
    }

    static final class ClassName implements ITypeConverter<Prices.TableClass> {
        @Override
        public Prices.TableClass convert(String value) {
            return switch (value) {
                case "standard" -> Prices.TableClass.STANDARD;
                case "infrequent-access" -> Prices.TableClass.INFREQUENT_ACCESS;
                default -> throw new TypeConversionException("requires standard or infrequent-access, not " + value);
            };
        }
    }
}
