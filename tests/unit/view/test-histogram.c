// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "formatted.h"

static const char *print_histograms(struct rs_formatter_options opt)
{
	struct rs_printer *p;

	rs_buf_clear(&formatted_out);
	p = formatted_printer(&formatted_histogram, &opt);
	formatted_add_group(rs_printer_sink(p), "dd", "comm = dd", formatted_waits_ns, 5);
	formatted_add_group(rs_printer_sink(p), "x\n", "comm = x\n", formatted_short_ns, 3);
	rs_printer_finish(p);
	rs_printers_quality(&p, 1, formatted_histogram.name, &formatted_quality);
	rs_printer_free(p);
	return formatted_out.data;
}

#define PICTURE_OF_DD \
	"comm = dd\n" \
	"     usecs               : count     distribution\n" \
	"         0 -> 1          : 1        |********************                    |\n" \
	"         2 -> 3          : 2        |****************************************|\n" \
	"         4 -> 7          : 1        |********************                    |\n" \
	"         8 -> 15         : 0        |                                        |\n" \
	"        16 -> 31         : 0        |                                        |\n" \
	"        32 -> 63         : 1        |********************                    |\n" \
	"  count 5  avg 10.2us  p50 4.00us  p95 40.0us  p99 40.0us  max 40.0us\n"

START_TEST(pictures)
{
	ck_assert_str_eq(print_histograms((struct rs_formatter_options){ .format = "text" }),
		PICTURE_OF_DD
		"\n"
		"comm = x\\x0A\n"
		"     nsecs               : count     distribution\n"
		"         0 -> 1          : 2        |****************************************|\n"
		"         2 -> 3          : 0        |                                        |\n"
		"         4 -> 7          : 0        |                                        |\n"
		"         8 -> 15         : 0        |                                        |\n"
		"        16 -> 31         : 0        |                                        |\n"
		"        32 -> 63         : 0        |                                        |\n"
		"        64 -> 127        : 0        |                                        |\n"
		"       128 -> 255        : 0        |                                        |\n"
		"       256 -> 511        : 0        |                                        |\n"
		"       512 -> 1023       : 1        |********************                    |\n"
		"  count 3  avg 233ns  p50 1ns  p95 700ns  p99 700ns  max 700ns\n"
		QUALITY_LINE);
	ck_assert_str_eq(print_histograms((struct rs_formatter_options){ .format = "text", .nr_rows = 1 }),
		PICTURE_OF_DD "(1 more, cut by -n)\n" QUALITY_LINE);
}
END_TEST

/* Over 64 values the histogram has buckets, and they carry the same picture. */
START_TEST(picture_of_many)
{
	struct rs_formatter_options opt = { .format = "text" };
	struct rs_printer *p = formatted_printer(&formatted_histogram, &opt);
	uint64_t values[100];

	for (int i = 0; i < 100; i++)
		values[i] = i < 75 ? 20000 : 1500000;
	formatted_add_group(rs_printer_sink(p), NULL, "", values, 100);
	ck_assert_str_eq(formatted_out.data,
		"     usecs               : count     distribution\n"
		"        16 -> 31         : 75       |****************************************|\n"
		"        32 -> 63         : 0        |                                        |\n"
		"        64 -> 127        : 0        |                                        |\n"
		"       128 -> 255        : 0        |                                        |\n"
		"       256 -> 511        : 0        |                                        |\n"
		"       512 -> 1023       : 0        |                                        |\n"
		"      1024 -> 2047       : 25       |*************                           |\n"
		"  count 100  avg 390us  p50 20.1us  p95 1.50ms  p99 1.50ms  max 1.50ms\n");
	rs_printer_free(p);
}
END_TEST

START_TEST(picture_at_the_ends)
{
	struct rs_formatter_options opt = { .format = "text" };
	struct rs_printer *p = formatted_printer(&formatted_histogram, &opt);
	const uint64_t huge = UINT64_MAX;

	formatted_add_group(rs_printer_sink(p), NULL, "", NULL, 0);
	ck_assert_str_eq(formatted_out.data,
		"     nsecs               : count     distribution\n"
		"  count 0  avg -  p50 -  p95 -  p99 -  max -\n");
	rs_buf_clear(&formatted_out);
	formatted_add_group(rs_printer_sink(p), NULL, "", &huge, 1);
	ck_assert_str_eq(
		formatted_out.data,
		"\n"
		"     usecs               : count     distribution\n"
		"18014398509481984 -> 18446744073709551 : 1        |****************************************|\n"
		"  count 1  avg 18446744074s  p50 18446744074s  p95 18446744074s  p99 18446744074s  max 18446744074s\n");
	rs_printer_free(p);
}
END_TEST

#define QUANTILES(view) \
	"{" view "\"label\":\"comm = dd\",\"count\":5,\"avg_ns\":10199,\"p50_ns\":3999,\"p95_ns\":40000," \
	"\"p99_ns\":40000,\"max_ns\":40000},{" view "\"label\":\"comm = x\\u000A\",\"count\":3," \
	"\"avg_ns\":233,\"p50_ns\":1,\"p95_ns\":700,\"p99_ns\":700,\"max_ns\":700}"

START_TEST(histograms_in_json)
{
	const char *json = print_histograms((struct rs_formatter_options){ .format = "json" });
	const char *last = strstr(json, "{\"_meta\"");

	ck_assert_int_eq(strncmp(json, "{\"comm\":\"dd\",\"from_ns\":512,\"to_ns\":1024,\"count\":1}\n"
				 "{\"comm\":\"dd\",\"from_ns\":1024,\"to_ns\":2048,\"count\":1}\n", 103), 0);
	ck_assert_str_eq(last, META("lat", ",\"quantiles\":[" QUANTILES("") "]"));
}
END_TEST

/* Several views, one _meta: the quantiles of each histogram view say whose they are. */
START_TEST(one_meta_for_all)
{
	struct rs_formatter_options opt = { .format = "json", .view_key = true };
	struct rs_printer *all[] = { formatted_printer(&formatted_histogram, &opt), formatted_printer(&formatted_stream, &opt),
				     formatted_printer(&formatted_histogram, &opt) };

	formatted_add_group(rs_printer_sink(all[2]), "dd", "comm = dd", formatted_waits_ns, 5);
	formatted_add_group(rs_printer_sink(all[2]), "x\n", "comm = x\n", formatted_short_ns, 3);
	rs_buf_clear(&formatted_out);
	rs_printers_quality(all, 3, "all", &formatted_quality);
	ck_assert_str_eq(formatted_out.data, META("all", ",\"quantiles\":[" QUANTILES("\"view\":\"lat\",") "]"));
	rs_buf_clear(&formatted_out);
	rs_printers_quality(all, 2, "lat,snoop", &formatted_quality);
	ck_assert_str_eq(formatted_out.data, META("lat,snoop", ",\"quantiles\":[]"));
	for (int i = 0; i < 3; i++)
		rs_printer_free(all[i]);
}
END_TEST

START_TEST(histograms_in_csv_and_as_rows)
{
	struct rs_formatter_options opt = { .format = "csv", .nr_rows = 1, .aside = &formatted_aside };

	ck_assert_str_eq(print_histograms(opt), "comm,from_ns,to_ns,count\ndd,512,1024,1\n");
	ck_assert_str_eq(formatted_aside.data,
		"# comm = dd: count 5  avg 10.2us  p50 4.00us  p95 40.0us  p99 40.0us  max 40.0us\n"
		"# comm = x\\x0A: count 3  avg 233ns  p50 1ns  p95 700ns  p99 700ns  max 700ns\n"
		QUALITY_LINE);
	opt.aside = NULL;
	ck_assert_str_eq(print_histograms(opt),
		"comm,from_ns,to_ns,count\ndd,512,1024,1\n"
		"\nlabel,count,avg_ns,p50_ns,p95_ns,p99_ns,max_ns\n"
		"comm = dd,5,10199,3999,40000,40000,40000\n"
		"comm = x\\x0A,3,233,1,700,700,700\n" CSV_META("lat"));
	ck_assert_str_eq(print_histograms((struct rs_formatter_options){
				 .format = "text", .columns = "comm,count", .nr_rows = 2 }),
			 "COMM          count\n"
			 "dd                1\n"
			 "dd                1\n" QUALITY_LINE);
}
END_TEST

Suite *rs_suite_histogram(void);
Suite *rs_suite_histogram(void)
{
	Suite *s = suite_create("histogram");
	TCase *t = tcase_create("pictures");

	tcase_add_checked_fixture(t, formatted_set_up, formatted_clean_up);
	tcase_add_test(t, pictures);
	tcase_add_test(t, picture_of_many);
	tcase_add_test(t, picture_at_the_ends);
	tcase_add_test(t, histograms_in_json);
	tcase_add_test(t, one_meta_for_all);
	tcase_add_test(t, histograms_in_csv_and_as_rows);
	suite_add_tcase(s, t);
	return s;
}
