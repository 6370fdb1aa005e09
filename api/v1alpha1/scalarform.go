package v1alpha1

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/internal/near"
)

// text returns an option whose string is the value itself.
func text[T ~string](key, path, help string, at func(*GoldenImagesSpec) *T) Scalar {
	return Scalar{
		Key: key, Flag: kebab(key), Path: path, Help: help, Form: FormText,
		Set: func(s *GoldenImagesSpec, value string) error {
			*at(s) = T(strings.TrimSpace(value))
			return nil
		},
		Get: func(s *GoldenImagesSpec) string { return string(*at(s)) },
	}
}

// boolean returns an option that is true or false.
func boolean(key, path, help string, at func(*GoldenImagesSpec) *bool) Scalar {
	return Scalar{
		Key: key, Flag: kebab(key), Path: path, Help: help + ": true, false", Form: FormBool,
		Set: func(s *GoldenImagesSpec, value string) error {
			switch value = strings.TrimSpace(value); value {
			case "true", "false", "":
				*at(s) = value == "true"
				return nil
			default:
				return fmt.Errorf("%q is neither true nor false%s", value, near.DidYouMean(value, []string{"false", "true"}))
			}
		},
		Get: func(s *GoldenImagesSpec) string { return strconv.FormatBool(*at(s)) },
	}
}

// list returns an option whose string has commas between the values.
func list(key, path, help string, at func(*GoldenImagesSpec) *[]string) Scalar {
	return Scalar{
		Key: key, Flag: kebab(key), Path: path, Help: help + " (comma-separated)", Form: FormList,
		Set: func(s *GoldenImagesSpec, value string) error {
			values, err := splitList(value)
			*at(s) = values
			return err
		},
		Get: func(s *GoldenImagesSpec) string { return strings.Join(*at(s), ",") },
	}
}

// noneWord states an empty list where a string cannot: an empty string states nothing.
const noneWord = "none"

// orNone returns the option of a list in which an empty list says something else than a
// missing one.
func orNone(option Scalar, at func(*GoldenImagesSpec) *[]string) Scalar {
	set, get := option.Set, option.Get
	option.Set = func(s *GoldenImagesSpec, value string) error {
		if strings.TrimSpace(value) == noneWord {
			*at(s) = []string{}
			return nil
		}
		return set(s, value)
	}
	option.Get = func(s *GoldenImagesSpec) string {
		if list := *at(s); list != nil && len(list) == 0 {
			return noneWord
		}
		return get(s)
	}
	return option
}

func splitList(value string) ([]string, error) {
	if strings.TrimSpace(value) == "" {
		return nil, nil
	}
	var out []string
	for part := range strings.SplitSeq(value, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			return nil, fmt.Errorf("the list %q has an empty element", value)
		}
		out = append(out, part)
	}
	return out, nil
}

// numeral returns a number in the form that [number] reads, or "" for nil.
func numeral(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func number(value string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number: %w", value, errors.Unwrap(err))
	}
	return n, nil
}

// kebab turns a key into the name of its flag: workload-architectures.
func kebab(key string) string {
	var b strings.Builder
	for _, r := range key {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
