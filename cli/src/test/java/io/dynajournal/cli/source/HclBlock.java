package io.dynajournal.cli.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of HCL, as far as Terraform's documentation of a resource needs it: labels, attributes of texts, booleans and lists of
 * texts, one a line, and blocks in it.
 */
record HclBlock(String type, List<String> labels, Map<String, Object> attributes, List<HclBlock> blocks) {

    private static final Pattern HEADER = Pattern.compile("([a-z_]+)((?: \"[^\"]*\")*) \\{");
    private static final Pattern ATTRIBUTE = Pattern.compile("([a-z_]+) += (.+)");
    private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** The blocks of a file. */
    static List<HclBlock> parse(String source) {
        HclBlock file = new HclBlock("file", List.of(), new LinkedHashMap<>(), new ArrayList<>());
        List<HclBlock> open = new ArrayList<>(List.of(file));
        for (String line : source.lines().map(String::trim).toList()) {
            HclBlock current = open.get(open.size() - 1);
            Matcher header = HEADER.matcher(line);
            Matcher attribute = ATTRIBUTE.matcher(line);
            if (header.matches()) {
                HclBlock block =
                        new HclBlock(header.group(1), texts(header.group(2)), new LinkedHashMap<>(), new ArrayList<>());
                current.blocks.add(block);
                open.add(block);
            } else if (line.equals("}")) {
                open.remove(open.size() - 1);
            } else if (attribute.matches()) {
                current.attributes.put(attribute.group(1), value(attribute.group(2)));
            } else if (!line.isEmpty()) {
                throw new IllegalArgumentException("no HCL: " + line);
            }
        }
        if (open.size() != 1) {
            throw new IllegalArgumentException("braces do not match: " + source);
        }
        return file.blocks;
    }

    private static Object value(String source) {
        if (source.equals("true") || source.equals("false")) {
            return Boolean.valueOf(source);
        }
        List<String> texts = texts(source);
        if (source.startsWith("[") && source.endsWith("]")) {
            return texts;
        }
        if (!TEXT.matcher(source).matches()) {
            throw new IllegalArgumentException("no value of HCL: " + source);
        }
        return texts.get(0);
    }

    private static List<String> texts(String source) {
        return TEXT.matcher(source).results().map(text -> text.group(1)).toList();
    }

    List<HclBlock> all(String wanted) {
        return blocks.stream().filter(block -> block.type.equals(wanted)).toList();
    }
}
