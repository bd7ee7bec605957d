# gnuplot scripts/figures/outer-solar-system.gp, in the root of the tree: docs/figures/outer-solar-system.csv, which
# build/benchmarks/outer_solar_system prints, becomes docs/figures/outer-solar-system.svg and .png.
# The colours are those of Okabe and Ito, which differ for every kind of colour vision.
data = "docs/figures/outer-solar-system.csv"
set datafile separator ","
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xrange [10:1e6]
set xlabel "years"
set mytics 1
set mxtics 10
set grid xtics ytics linecolor rgb "#c0c0c0" linewidth 1
set border 3 linecolor rgb "#404040"
set tics nomirror

set style line 1 linecolor rgb "#d55e00" linewidth 1.5
set style line 2 linecolor rgb "#e69f00" linewidth 1.5
set style line 3 linecolor rgb "#000000" linewidth 2
set style line 4 linecolor rgb "#56b4e9" linewidth 1.5
set style line 5 linecolor rgb "#0072b2" linewidth 1.5
set style line 6 linecolor rgb "#cc79a7" linewidth 1.5
set style line 7 linecolor rgb "#009e73" linewidth 1.5
names = "sy8 sy12 gauss-6-short gauss-6 gauss-8 sy8-pairs gauss-8-pairs"
titles = "'SY8, 5 days' 'SY12, 10 days' 'Gauss 6, 50 days' 'Gauss 6, 200 days' 'Gauss 8, 300 days' \
'SY8, 5 days, double-double' 'Gauss 8, 300 days, double-double'"

do for [output in "svg png"] {
  if (output eq "svg") {
    set terminal svg size 1000,900 font "DejaVu Sans,13" background rgb "white"
  } else {
    set terminal pngcairo size 1500,1350 font "DejaVu Sans,13" fontscale 1.3 linewidth 1.3
  }
  set output "docs/figures/outer-solar-system.".output
  set multiplot layout 2,1
  set key outside right center samplen 2 spacing 1.3 reverse Left
  set title "Outer solar system: relative error of the energy"
  set yrange [1e-21:1e-12]
  set ytics 1e-20, 100
  plot for [i=1:7] data skip 1 using 3:(strcol(1) eq word(names, i) ? abs($4) : NaN) \
      with lines linestyle i title word(titles, i), \
    1e-17*sqrt(x) with lines linecolor rgb "#7f7f7f" dashtype 2 linewidth 2 title "slope 1/2"
  set title "Relative error of the angular momentum"
  set yrange [1e-33:1e-12]
  set ytics 1e-32, 10000
  plot for [i=1:7] data skip 1 using 3:(strcol(1) eq word(names, i) ? $5 : NaN) \
      with lines linestyle i title word(titles, i), \
    5e-18*sqrt(x) with lines linecolor rgb "#7f7f7f" dashtype 2 linewidth 2 title "slope 1/2"
  unset multiplot
  unset output
}
