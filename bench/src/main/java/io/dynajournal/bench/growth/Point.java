package io.dynajournal.bench.growth;

import java.util.LinkedHashMap;
import java.util.Map;

/** The cost of an operation at one size. */
record Point(double requests, double readUnits, double writeUnits, double millis) {

    Map<String, Double> numbers() {
        Map<String, Double> numbers = new LinkedHashMap<>();
        numbers.put("requests", requests);
        numbers.put("readUnits", readUnits);
        numbers.put("writeUnits", writeUnits);
        numbers.put("millis", millis);
        return numbers;
    }
}
